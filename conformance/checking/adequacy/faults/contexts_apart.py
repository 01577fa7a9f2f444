"""Faults of what a custom function's methods are given, and of what setup_context may say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ..breaking import Notes, Patch, fault, inside, torch
from .custom_forwards import Methods, for_each_call, sets_up
from .custom_functions import around_apply, around_backward, several
from .custom_rules import around_class, within
from .recorded_results import is_tensor


def unsaid_in_setup(patch: Patch, name: str) -> None:
    """Let the method `name` of the context have no effect in setup_context."""
    setting_up: list[Any] = []

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        if not sets_up(cls):
            return {}
        whole = cls.setup_context

        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            setting_up.append(ctx)
            try:
                return whole(ctx, inputs, output)
            finally:
                setting_up.pop()

        return {"setup_context": setup_context}

    def make(original: Any) -> Any:
        def method(self: Any, *given: Any) -> Any:
            return None if any(self is each for each in setting_up) else original(self, *given)

        return method

    for_each_call(patch, change)
    patch.wrap(inside.function_node, name, make)


@fault
def setup_context_cannot_leave_gradients_none(patch: Patch) -> None:
    """set_materialize_grads(False) has no effect in setup_context."""
    unsaid_in_setup(patch, "set_materialize_grads")


@fault
def contexts_are_set_up_with_recording(patch: Patch) -> None:
    """setup_context runs with grad mode enabled."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        if not sets_up(cls):
            return {}
        whole = cls.setup_context

        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            with torch.enable_grad():
                return whole(ctx, inputs, output)

        return {"setup_context": setup_context}

    for_each_call(patch, change)


@fault
def setup_context_cannot_mark_changes(patch: Patch) -> None:
    """mark_dirty has no effect in setup_context."""
    unsaid_in_setup(patch, "mark_dirty")


@fault
def zeros_have_the_shape_of_the_first_result(patch: Patch) -> None:
    """The zeros that a backward is given for an unused result have the shape of the first result."""
    shapes = Notes()

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        results = [each for each in several(found) if is_tensor(each)]
        if len(results) > 1 and results[0].grad_fn is not None:
            shapes[results[0].grad_fn] = results[0].shape
        return found

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        shape = shapes.get(context)
        if shape is not None:
            cotangents = [
                g.new_zeros(shape) if is_tensor(g) and not g.requires_grad and not g.any() else g
                for g in cotangents
            ]
        return run(*cotangents)

    around_apply(patch, call)
    around_backward(patch, around)


@fault
def tensors_given_by_name_are_constants(patch: Patch) -> None:
    """A tensor that a custom function is given by name gets no gradient."""

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        return run(*args, **{k: v.detach() if is_tensor(v) else v for k, v in kwargs.items()})

    around_apply(patch, call)


@fault
def jvp_is_given_tangents_of_tensors_first(patch: Patch) -> None:
    """The jvp of a custom function is given the tangents of tensors first, and then None for the rest."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        whole = cls.jvp
        if whole is torch.autograd.Function.jvp:
            return {}
        given = [is_tensor(each) for each in args]

        def jvp(ctx: Any, *tangents: Any) -> Any:
            first = [t for t, real in zip(tangents, given, strict=True) if real]
            return whole(ctx, *first, *(None,) * (len(tangents) - len(first)))

        return {"jvp": jvp}

    for_each_call(patch, change)


def with_rule(patch: Patch, rule: Any) -> None:
    """Let every vmap rule of a custom function be `rule(whole, info, in_dims, args)`."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        whole = cls.vmap
        if whole is torch.autograd.Function.vmap:
            return {}
        return {"vmap": lambda info, in_dims, *given: rule(whole, info, in_dims, given)}

    for_each_call(patch, change)


@fault
def a_rule_knows_the_dimensions_of_tensors_only(patch: Patch) -> None:
    """The in_dims of a vmap rule have no place for arguments that are not tensors."""

    def rule(whole: Any, info: Any, in_dims: Any, given: Any) -> Any:
        dims = tuple(d for d, each in zip(in_dims, given, strict=True) if is_tensor(each))
        return whole(info, dims, *given)

    with_rule(patch, rule)


@fault
def a_rule_is_told_the_first_size_it_met(patch: Patch) -> None:
    """A vmap rule within two vmaps is told the size of the inner batch for the outer one as well."""
    sizes: list[int] = []

    def rule(whole: Any, info: Any, in_dims: Any, given: Any) -> Any:
        sizes.append(info.batch_size)
        try:
            return whole(info._replace(batch_size=sizes[0]), in_dims, *given)
        finally:
            sizes.pop()

    with_rule(patch, rule)


@fault
def a_result_of_a_rule_is_always_batched(patch: Patch) -> None:
    """A result that a vmap rule gives without a batch dimension is taken apart along its first one."""

    def rule(whole: Any, info: Any, in_dims: Any, given: Any) -> Any:
        found = whole(info, in_dims, *given)
        if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[1], tuple):
            return found
        results, dims = found
        if len(dims) != len(results):
            return found
        pairs = zip(results, dims, strict=True)
        return results, tuple(0 if d is None and r.ndim else d for r, d in pairs)

    with_rule(patch, rule)


@fault
def a_rule_is_called_for_each_entry(patch: Patch) -> None:
    """A vmap rule is called for each entry, with a batch of one."""

    def one_by_one(whole: Any, info: Any, in_dims: Any, given: Any) -> Any:
        def part(x: Any, dim: Any, k: int) -> Any:
            return x if dim is None else x.narrow(dim, k, 1)

        found = [
            whole(
                info._replace(batch_size=1), in_dims,
                *(part(x, d, k) for x, d in zip(given, in_dims, strict=True)),
            )
            for k in range(info.batch_size)
        ]  # fmt: skip
        results, dims = zip(*found, strict=True)
        return torch.cat(results, dims[0]), dims[0]

    with_rule(patch, one_by_one)


@fault
def a_gradient_within_vmap_is_that_of_the_rule(patch: Patch) -> None:
    """The gradient that a mapped function takes of a custom function is that of its vmap rule."""
    mapped, differentiated = within(patch, "vmap"), within(patch, "grad")

    def around(cls: Any, run: Any, args: Any) -> Any:
        own = cls.vmap is not torch.autograd.Function.vmap and not cls.generate_vmap_rule
        if not (mapped and differentiated and own):
            return run()
        info = SimpleNamespace(batch_size=1, randomness="error")
        results, dim = cls.vmap(info, (0,) * len(args), *(x.unsqueeze(0) for x in args))
        return results.select(dim, 0)

    around_class(patch, around)


@fault
def a_rule_is_told_that_random_numbers_are_errors(patch: Patch) -> None:
    """A vmap rule is told that the randomness is 'error', whatever it is."""
    with_rule(
        patch,
        lambda whole, info, in_dims, given: whole(
            info._replace(randomness="error"), in_dims, *given
        ),
    )
