"""Faults of function transforms: nested results, arguments that come back, and what may be done within."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch
from .mapped_functions import dims_as, mapping
from .transforms import CURRIED, DIRECT, calls, functions, is_tensor, results


def flat(value: Any) -> Any:
    """A dict or list as a tuple."""
    if isinstance(value, dict):
        return tuple(value.values())
    return tuple(value) if isinstance(value, list) else value


@fault
def structures_from_vmap_are_tuples(patch: Patch) -> None:
    """A dict or a list that the mapped function returns comes as a tuple."""
    mapping(patch, lambda run, args, in_dims: flat(run(*args)))


dims_as(
    "negative_out_dims_count_from_the_first",
    "vmap takes a negative out_dims without its sign, less one.",
    lambda in_dims, out_dims: (
        in_dims,
        abs(out_dims) - 1 if isinstance(out_dims, int) and out_dims < 0 else out_dims,
    ),
)


@fault
def jacobians_by_a_dict_are_tuples(patch: Patch) -> None:
    """jacrev and jacfwd of one output by a dict give a tuple."""
    results(patch, ("jacrev", "jacfwd"), lambda run, f, args: flat(run()))


@fault
def linearized_structures_are_tuples(patch: Patch) -> None:
    """The function of linearize gives a tuple for an output in a dict."""

    def change(transform: Any, *args: Any, **kwargs: Any) -> Any:
        value, push = transform(*args, **kwargs)
        return value, lambda *tangents: flat(push(*tangents))

    calls(patch, "linearize", change)


@fault
def arguments_that_come_back_are_constants(patch: Patch) -> None:
    """An output that is an argument itself has no derivative."""

    def change(function: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            found = function(*args, **kwargs)
            same = is_tensor(found) and any(found is arg for arg in args)
            return found.detach() if same else found

        return run

    functions(patch, change, (*CURRIED, *DIRECT))


@fault
def equal_outputs_count_once(patch: Patch) -> None:
    """Where the function of vjp returns one tensor twice, the second cotangent is lost."""

    def change(function: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            found = function(*args, **kwargs)
            if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[1], tuple):
                return found
            first, second = found
            return first, tuple(part.detach() if part is first else part for part in second)

        return run

    functions(patch, change, ("vjp",))


@replaces("func.functional_call")
def functional_call_runs_no_hooks(original: Any, module: Any, *args: Any, **kwargs: Any) -> Any:
    """functional_call runs the module's forward without its hooks."""
    tables = [
        table for each in module.modules()
        for table in (each._forward_hooks, each._forward_pre_hooks)
    ]  # fmt: skip
    held = [dict(table) for table in tables]
    for table in tables:
        table.clear()
    try:
        return original(module, *args, **kwargs)
    finally:
        for table, hooks in zip(tables, held, strict=True):
            table.update(hooks)


class Mapped:
    """Whether vmap runs its function."""

    def __init__(self, patch: Patch) -> None:
        self.depth = 0
        functions(patch, self.noted, ("vmap",))

    def noted(self, function: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            self.depth += 1
            try:
                return function(*args, **kwargs)
            finally:
                self.depth -= 1

        return run


@fault
def tangents_under_vmap_are_ones(patch: Patch) -> None:
    """Under vmap, jvp takes every tangent for ones."""
    mapped = Mapped(patch)

    def change(transform: Any, f: Any, primals: Any, tangents: Any, **options: Any) -> Any:
        if mapped.depth:
            tangents = tuple(map(torch.ones_like, tangents))
        return transform(f, primals, tangents, **options)

    calls(patch, "jvp", change)


@fault
def flags_may_be_set_under_vmap(patch: Patch) -> None:
    """Under vmap, requires_grad_() does nothing and raises no error."""
    mapped = Mapped(patch)

    def make(original: Any) -> Any:
        return lambda self, *args: self if mapped.depth else original(self, *args)

    patch.wrap(torch.Tensor, "requires_grad_", make)


@fault
def shared_tensors_are_left_alone_under_vmap(patch: Patch) -> None:
    """Under vmap, a write into a tensor that all entries share does nothing and raises no error."""
    mapped = Mapped(patch)

    for name in ("add_", "copy_", "mul_"):

        def make(original: Any) -> Any:
            def write(self: Any, *args: Any) -> Any:
                try:
                    return original(self, *args)
                except RuntimeError:
                    if not mapped.depth:
                        raise
                    return self

            return write

        patch.wrap(torch.Tensor, name, make)


@fault
def the_mode_of_vjp_is_that_of_its_function(patch: Patch) -> None:
    """What the function of vjp gives has a history if vjp itself was called with recording on."""

    def change(transform: Any, *args: Any, **kwargs: Any) -> Any:
        recorded = torch.is_grad_enabled()
        value, pull, *aux = transform(*args, **kwargs)

        def function(*given: Any, **options: Any) -> Any:
            with torch.set_grad_enabled(recorded):
                return pull(*given, **options)

        return (value, function, *aux)

    calls(patch, "vjp", change)


def by_position(given: Any, like: Any) -> Any:
    """The values of dicts under the keys of others, in their order."""
    if isinstance(like, dict) and isinstance(given, dict) and set(given) == set(like):
        return dict(zip(like, given.values(), strict=True))
    if isinstance(like, tuple) and isinstance(given, tuple) and len(like) == len(given):
        return tuple(by_position(g, x) for g, x in zip(given, like, strict=True))
    return given


@fault
def cotangents_and_tangents_in_a_dict_count_by_position(patch: Patch) -> None:
    """vjp, jvp and linearize take values in a dict by their position, whatever their keys."""

    def vjp(transform: Any, *args: Any, **options: Any) -> Any:
        value, pull, *aux = transform(*args, **options)
        return value, lambda given: pull(by_position(given, value)), *aux

    def jvp(transform: Any, f: Any, primals: Any, tangents: Any, **options: Any) -> Any:
        return transform(f, primals, by_position(tangents, primals), **options)

    def linearize(transform: Any, f: Any, *primals: Any) -> Any:
        value, push = transform(f, *primals)
        return value, lambda *tangents: push(*by_position(tangents, primals))

    calls(patch, "vjp", vjp)
    calls(patch, "jvp", jvp)
    calls(patch, "linearize", linearize)


@fault
def argnums_beside_aux_are_sorted(patch: Patch) -> None:
    """With has_aux, derivatives are in the order of the arguments, whatever argnums says."""
    for name in ("grad", "grad_and_value", "jacrev", "jacfwd"):

        def change(transform: Any, f: Any, argnums: Any = 0, *rest: Any, **options: Any) -> Any:
            if (rest or options.get("has_aux")) and isinstance(argnums, tuple):
                argnums = tuple(sorted(argnums))
            return transform(f, argnums, *rest, **options)

        calls(patch, name, change)


@fault
def structures_beside_aux_are_flat(patch: Patch) -> None:
    """With has_aux, vjp and jvp give a dict of outputs as a tuple of its values."""

    def vjp(transform: Any, *args: Any, **options: Any) -> Any:
        value, *rest = transform(*args, **options)
        return flat(value) if options.get("has_aux") else value, *rest

    def jvp(transform: Any, *args: Any, **options: Any) -> Any:
        value, tangent, *rest = transform(*args, **options)
        return value, flat(tangent) if options.get("has_aux") else tangent, *rest

    calls(patch, "vjp", vjp)
    calls(patch, "jvp", jvp)


@fault
def jacobians_in_chunks_are_by_the_first_argument(patch: Patch) -> None:
    """With chunk_size, jacrev repeats the derivative by the first of several arguments."""

    def change(transform: Any, f: Any, argnums: Any = 0, **options: Any) -> Any:
        if options.get("chunk_size") and isinstance(argnums, tuple) and len(argnums) > 1:
            argnums = argnums[:1]
        return transform(f, argnums, **options)

    calls(patch, "jacrev", change)
