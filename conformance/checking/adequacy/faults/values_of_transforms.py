"""Faults of what vjp, jvp, linearize and the Jacobians give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, register, torch
from .transforms import JACOBIANS, calls, in_tree, is_tensor, results


def pulling(patch: Patch, change: Callable[..., Any]) -> None:
    """Let the function that vjp returns give `change(pull, cotangents, output)`."""

    def vjp(whole: Any, f: Any, *primals: Any, **keywords: Any) -> Any:
        out, pull, *aux = whole(f, *primals, **keywords)
        return (out, lambda cotangents: change(pull, cotangents, out), *aux)

    calls(patch, "vjp", vjp)


def pushing(patch: Patch, change: Callable[..., Any]) -> None:
    """Let the function that linearize returns give `change(push, tangents, primals)`."""

    def linearize(whole: Any, f: Any, *primals: Any) -> Any:
        out, push = whole(f, *primals)
        return out, lambda *tangents: change(push, tangents, primals)

    calls(patch, "linearize", linearize)


def broadcast(value: Any, like: Any) -> Any:
    """A tensor, expanded to the shape of another where it can be."""
    fits = is_tensor(value) and is_tensor(like) and value.numel() == 1
    return value.expand(like.shape) if fits else value


@fault
def a_single_gradient_comes_without_its_tuple(patch: Patch) -> None:
    """The function of vjp gives a bare gradient for one primal."""

    def change(pull: Any, cotangents: Any, out: Any) -> Any:
        found = pull(cotangents)
        return found[0] if len(found) == 1 else found

    pulling(patch, change)


@fault
def vjp_gives_the_first_gradients_again(patch: Patch) -> None:
    """The function of vjp gives what its first call gave."""

    def vjp(whole: Any, f: Any, *primals: Any, **keywords: Any) -> Any:
        out, pull, *aux = whole(f, *primals, **keywords)
        first: list[Any] = []

        def once(cotangents: Any) -> Any:
            if not first:
                first.append(pull(cotangents))
            return first[0]

        return (out, once, *aux)

    calls(patch, "vjp", vjp)


@fault
def cotangents_of_vjp_are_broadcast(patch: Patch) -> None:
    """The function of vjp broadcasts a cotangent of one element."""
    pulling(patch, lambda pull, cotangents, out: pull(broadcast(cotangents, out)))


@fault
def cotangents_of_vjp_may_be_in_a_tuple(patch: Patch) -> None:
    """The function of vjp takes a tuple for the cotangent of a single output."""

    def change(pull: Any, cotangents: Any, out: Any) -> Any:
        return pull(cotangents[0] if is_tensor(out) and not is_tensor(cotangents) else cotangents)

    pulling(patch, change)


def outputs_of_vjp_as(name: str, sentence: str, change: Callable[[Any], Any]) -> None:
    """A fault: vjp changes outputs that it should reject."""

    def install(patch: Patch) -> None:
        calls(
            patch,
            "vjp",
            lambda whole, f, *primals, **kw: whole(lambda *xs: change(f(*xs)), *primals, **kw),
        )

    register(name, sentence, install)


outputs_of_vjp_as(
    "vjp_takes_outputs_of_integers",
    "vjp accepts an output of integers.",
    lambda out: out.float() if is_tensor(out) and not out.is_floating_point() else out,
)
outputs_of_vjp_as(
    "vjp_takes_outputs_that_are_numbers",
    "vjp accepts a plain number as output.",
    lambda out: torch.tensor(out) if isinstance(out, float) else out,
)


@fault
def the_cotangent_of_the_first_output_counts(patch: Patch) -> None:
    """The function of vjp takes the cotangents of all outputs but the first for zeros."""

    def change(pull: Any, cotangents: Any, out: Any) -> Any:
        if isinstance(cotangents, dict):
            first, *others = cotangents.items()
            zeros = {key: in_tree(torch.zeros_like, value) for key, value in others}
            cotangents = {first[0]: first[1], **zeros}
        return pull(cotangents)

    pulling(patch, change)


@fault
def jvp_takes_the_first_tangent(patch: Patch) -> None:
    """jvp takes the tangents of all primals but the first for zeros."""

    def jvp(whole: Any, f: Any, primals: Any, tangents: Any, **keywords: Any) -> Any:
        if isinstance(tangents, tuple):
            tangents = (*tangents[:1], *(in_tree(torch.zeros_like, v) for v in tangents[1:]))
        return whole(f, primals, tangents, **keywords)

    calls(patch, "jvp", jvp)


@fault
def tangents_of_a_dict_are_a_tuple(patch: Patch) -> None:
    """jvp gives a flat tuple of tangents for an output in a dict."""

    def jvp(whole: Any, *args: Any, **keywords: Any) -> Any:
        found = whole(*args, **keywords)
        flat = tuple(found[1].values()) if isinstance(found[1], dict) else found[1]
        return (found[0], flat, *found[2:])

    calls(patch, "jvp", jvp)


@fault
def tangents_of_jvp_are_broadcast(patch: Patch) -> None:
    """jvp broadcasts a tangent of one element."""

    def jvp(whole: Any, f: Any, primals: Any, tangents: Any, **keywords: Any) -> Any:
        if isinstance(primals, tuple) and isinstance(tangents, tuple):
            fitting = zip(tangents, primals, strict=False)
            tangents = (*(broadcast(v, x) for v, x in fitting), *tangents[len(primals) :])
        return whole(f, primals, tangents, **keywords)

    calls(patch, "jvp", jvp)


@fault
def jvp_takes_a_bare_tensor(patch: Patch) -> None:
    """jvp takes a tensor for a tuple of one."""

    def jvp(whole: Any, f: Any, primals: Any, tangents: Any, **keywords: Any) -> Any:
        if is_tensor(primals):
            primals, tangents = (primals,), (tangents,)
        return whole(f, primals, tangents, **keywords)

    calls(patch, "jvp", jvp)


@fault
def jvp_is_never_strict(patch: Patch) -> None:
    """jvp ignores strict."""

    def jvp(whole: Any, *args: Any, strict: bool = False, **keywords: Any) -> Any:
        return whole(*args, **keywords)

    calls(patch, "jvp", jvp)


@fault
def numbers_have_zero_tangents(patch: Patch) -> None:
    """jvp and jacfwd make a constant of a number that the function returns."""

    def constant(f: Any) -> Any:
        def function(*args: Any) -> Any:
            found = f(*args)
            return torch.tensor(found) if isinstance(found, float) else found

        return function

    def transform(whole: Any, f: Any, *args: Any, **keywords: Any) -> Any:
        return whole(constant(f), *args, **keywords)

    calls(patch, "jvp", transform)
    calls(patch, "jacfwd", transform)


@fault
def missing_tangents_are_zeros(patch: Patch) -> None:
    """jvp takes a tangent that was not given for zeros."""

    def jvp(whole: Any, f: Any, primals: Any, tangents: Any, **keywords: Any) -> Any:
        if isinstance(primals, tuple) and isinstance(tangents, tuple):
            missing = primals[len(tangents) :]
            tangents = (*tangents, *(in_tree(torch.zeros_like, x) for x in missing))
        return whole(f, primals, tangents, **keywords)

    calls(patch, "jvp", jvp)


@fault
def linearize_keeps_the_first_tangents(patch: Patch) -> None:
    """The function of linearize gives what its first call gave."""

    def linearize(whole: Any, f: Any, *primals: Any) -> Any:
        out, push = whole(f, *primals)
        first: list[Any] = []

        def once(*tangents: Any) -> Any:
            found = push(*tangents)
            first.append(found)
            return first[0]

        return out, once

    calls(patch, "linearize", linearize)


@fault
def tangents_of_linearize_are_broadcast(patch: Patch) -> None:
    """The function of linearize broadcasts a tangent of one element."""
    pushing(patch, lambda push, tangents, primals: push(*map(broadcast, tangents, primals)))


@fault
def surplus_tangents_of_linearize_are_ignored(patch: Patch) -> None:
    """The function of linearize ignores tangents beyond the number of primals."""
    pushing(patch, lambda push, tangents, primals: push(*tangents[: len(primals)]))


# --- Jacobians and Hessians ---


def turned(block: Any) -> Any:
    """A block of a Jacobian with its dimensions in reverse order."""
    return block.permute(*reversed(range(block.dim()))) if block.dim() > 1 else block


def jacobians_as(name: str, transform: str, sentence: str, change: Callable[[Any], Any]) -> None:
    """A fault of the blocks that one transform gives."""
    register(
        name,
        sentence,
        lambda patch: results(patch, (transform,), lambda run, f, args: in_tree(change, run())),
    )


for transform in JACOBIANS:
    jacobians_as(
        f"the_result_of_{transform}_is_transposed",
        transform,
        f"{transform} gives the argument's dimensions before the output's.",
        turned,
    )
    jacobians_as(
        f"the_result_of_{transform}_is_a_matrix",
        transform,
        f"{transform} gives a matrix whatever the shapes.",
        lambda block: block.flatten(1) if block.dim() > 2 else block,
    )


@fault
def jacobians_come_by_argument(patch: Patch) -> None:
    """Jacobians of several outputs by several arguments come by argument first."""

    def change(run: Any, f: Any, args: Any) -> Any:
        found = run()
        nested = isinstance(found, tuple) and all(isinstance(row, tuple) for row in found)
        return tuple(zip(*found, strict=False)) if nested else found

    results(patch, JACOBIANS, change)


@fault
def the_last_chunk_of_a_jacobian_is_zero(patch: Patch) -> None:
    """The rows of the last chunk of jacrev are zero, if it is smaller than the others."""

    def jacrev(whole: Any, f: Any, *options: Any, chunk_size: Any = None, **keywords: Any) -> Any:
        def run(*args: Any) -> Any:
            found = whole(f, *options, chunk_size=chunk_size, **keywords)(*args)
            if chunk_size is None or not is_tensor(found) or not found.dim():
                return found
            whole_rows = found.shape[0] - found.shape[0] % chunk_size
            rows = torch.arange(found.shape[0]) < max(whole_rows, 1)
            return found * rows.reshape(-1, *[1] * (found.dim() - 1))

        return run

    calls(patch, "jacrev", jacrev)


@fault
def a_chunk_of_no_rows_is_one(patch: Patch) -> None:
    """jacrev and vmap take chunks of no entries for the default."""
    for name in ("jacrev", "vmap"):
        calls(
            patch,
            name,
            lambda whole, f, *options, chunk_size=None, **kw: whole(
                f, *options, chunk_size=chunk_size or None, **kw
            ),
        )


@fault
def mixed_blocks_of_a_hessian_are_zero(patch: Patch) -> None:
    """A Hessian by several arguments has zeros off its diagonal of blocks."""

    def change(run: Any, f: Any, args: Any) -> Any:
        found = run()
        if not isinstance(found, tuple):
            return found
        return tuple(
            tuple(b if i == j else torch.zeros_like(b) for j, b in enumerate(row))
            for i, row in enumerate(found)
        )

    results(patch, ("hessian",), change)


@fault
def a_hessian_has_only_its_diagonal(patch: Patch) -> None:
    """A Hessian has zeros off its diagonal."""
    jacobian = lambda h: h * torch.eye(h.shape[-1]) if h.dim() > 1 else h  # noqa: E731
    results(patch, ("hessian",), lambda run, f, args: in_tree(jacobian, run()))


@fault
def a_hessian_sums_several_outputs(patch: Patch) -> None:
    """The Hessian of several outputs is that of their sum."""
    results(
        patch,
        ("hessian",),
        lambda run, f, args: in_tree(lambda h: h.sum(0) if h.dim() == 3 else h, run()),
    )
