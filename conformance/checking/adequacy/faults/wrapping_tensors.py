"""Faults of asarray, which shares or copies as it is told, and of results written into out=."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, torch
from .making_tensors import around_makers
from .recorded_results import is_tensor


def around_asarray(patch: Patch, function: Callable[..., Any]) -> None:
    """Let asarray(t, ...) of a tensor give `function(t, found, options)`, and where the engine
    refuses the call, `function(t, error, options)`."""

    def asarray(original: Any, data: Any, **kwargs: Any) -> Any:
        if not is_tensor(data):
            return original(data, **kwargs)
        try:
            found = original(data, **kwargs)
        except (ValueError, RuntimeError) as error:
            found = error
        found = function(data, found, kwargs)
        if isinstance(found, Exception):
            raise found
        return found

    around_makers(patch, "asarray", asarray)


@fault
def asarray_that_requires_grad_is_a_leaf(patch: Patch) -> None:
    """asarray(t, requires_grad=True) gives a leaf of its own, cut from the history of t."""
    around_asarray(
        patch,
        lambda data, found, options: (
            found.detach().requires_grad_() if options.get("requires_grad") else found
        ),
    )


@fault
def asarray_that_requires_grad_is_a_copy(patch: Patch) -> None:
    """asarray(t, requires_grad=True) is a recorded copy of t."""
    around_asarray(
        patch,
        lambda data, found, options: found.clone() if options.get("requires_grad") else found,
    )


@fault
def asarray_without_grad_detaches_its_source(patch: Patch) -> None:
    """asarray(t, requires_grad=False) takes the history from t itself."""

    def asarray(data: Any, found: Any, options: dict[str, Any]) -> Any:
        if options.get("requires_grad") is False and data.grad_fn is not None:
            data.detach_()
        return found

    around_asarray(patch, asarray)


@fault
def asarray_without_grad_copies(patch: Patch) -> None:
    """asarray(t, requires_grad=False) copies the values."""
    around_asarray(
        patch,
        lambda data, found, options: (
            found.clone() if options.get("requires_grad") is False else found
        ),
    )


@fault
def asarray_never_requires_grad(patch: Patch) -> None:
    """asarray(t) never requires grad unless asked to, as from_numpy() does not."""
    around_asarray(
        patch, lambda data, found, options: found if options else found.detach()
    )  # fmt: skip


@fault
def asarray_copies_the_bare_values(patch: Patch) -> None:
    """asarray(t, copy=True) is cut from the history of t."""
    around_asarray(
        patch,
        lambda data, found, options: (
            found.detach().requires_grad_(found.requires_grad) if options.get("copy") else found
        ),
    )


@fault
def asarray_copies_where_that_is_forbidden(patch: Patch) -> None:
    """asarray(t, copy=False) copies if another dtype is asked for."""

    def asarray(data: Any, found: Any, options: dict[str, Any]) -> Any:
        if isinstance(found, Exception) and options.get("copy") is False:
            return data.to(options["dtype"])
        return found

    around_asarray(patch, asarray)


# --- out= ---


def around_out(patch: Patch, function: Callable[..., Any]) -> None:
    """Replace what writes into out= by `function(original, operands, out)`."""

    def operation(original: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        if not is_tensor(out):
            return original(*args, **kwargs)
        return function(lambda *given, out: original(*given, out=out, **kwargs), args, out)

    around_makers(patch, "add sub mul exp sin matmul", operation)


@fault
def out_may_be_a_tensor_that_requires_grad(patch: Patch) -> None:
    """With out=, a target that requires grad is written into; only the inputs are looked at."""

    def write(original: Any, args: Any, out: Any) -> Any:
        original(*args, out=out.detach())
        return out

    around_out(patch, write)


@fault
def inputs_beside_out_may_require_grad(patch: Patch) -> None:
    """With out=, an input that requires grad is accepted and its history dropped."""

    def write(original: Any, args: Any, out: Any) -> Any:
        return original(*(a.detach() if is_tensor(a) else a for a in args), out=out)

    around_out(patch, write)


@fault
def out_is_refused_under_no_grad_too(patch: Patch) -> None:
    """With out=, an input that requires grad is refused even if nothing is recorded."""

    def write(original: Any, args: Any, out: Any) -> Any:
        with torch.enable_grad():
            return original(*args, out=out)

    around_out(patch, write)


def with_several_results(patch: Patch, change: Any) -> None:
    """Let `change(original, x, rest, out, options)` be what functions do whose out= is a tuple."""

    def make(original: Any) -> Any:
        def called(x: Any, *rest: Any, **options: Any) -> Any:
            if not isinstance(options.get("out"), tuple) or len(options["out"]) != 2:
                return original(x, *rest, **options)
            return change(original, x, rest, options.pop("out"), options)

        return called

    for name in ("max", "min", "median", "sort"):
        patch.wrap(torch, name, make)


@fault
def of_several_results_one_is_written(patch: Patch) -> None:
    """out= of a function with several results writes the first of them only."""

    def change(original: Any, x: Any, rest: Any, out: Any, options: Any) -> Any:
        second = torch.empty_like(out[1])
        values, _ = original(x, *rest, out=(out[0], second), **options)
        return values, out[1]

    with_several_results(patch, change)


@fault
def several_results_are_returned_anew(patch: Patch) -> None:
    """out= of a function with several results writes them, but returns tensors of their own."""

    def change(original: Any, x: Any, rest: Any, out: Any, options: Any) -> Any:
        found = original(x, *rest, out=out, **options)
        return tuple(part.clone() for part in found)

    with_several_results(patch, change)


@fault
def several_results_of_a_leaf_are_written(patch: Patch) -> None:
    """out= of a function with several results accepts an input that requires grad."""

    def change(original: Any, x: Any, rest: Any, out: Any, options: Any) -> Any:
        return original(x.detach(), *rest, out=out, **options)

    with_several_results(patch, change)
