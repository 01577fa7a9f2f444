"""Faults of what transforms, products and tangents know of the graph around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around_pass, fault, replaces, retaining, tensors_in, torch, untouched
from .checkpoints import with_function
from .custom_functions import around_apply, several


def is_floating(value: Any) -> bool:
    """Whether a value is a tensor of floating dtype."""
    return isinstance(value, torch.Tensor) and value.is_floating_point()


@fault
def second_runs_require_every_input(patch: Patch) -> None:
    """In the second run of a reentrant checkpoint every tensor among the inputs requires grad."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        if run:
            args = tuple(a.requires_grad_() if is_floating(a) and a.is_leaf else a for a in args)
        return function(*args, **kwargs)

    with_function(patch, change, wanted=True)


@fault
def functions_that_change_tensors_end_retention(patch: Patch) -> None:
    """A result that retains its gradient does so no more once a custom function has changed it."""
    retained = retaining(patch)
    ended: list[Any] = []

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        for each in several(found):
            if any(each is arg for arg in args) and any(each is r for r in retained):
                ended.append(each)
        return found

    def around(run: Any, options: Any) -> Any:
        result = run(options)
        for each in ended:
            each.grad = None
        return result

    around_apply(patch, call)
    around_pass(patch, around)
    patch.at_end(ended.clear)
    patch.at_end(retained.clear)


@replaces("autograd.forward_ad.unpack_dual")
def tangents_of_views_are_constants(original: Any, tensor: Any, **options: Any) -> Any:
    """unpack_dual cuts the tangent of a view from its history."""
    found = original(tensor, **options)
    if found.tangent is None or not tensor._is_view() or tensor._base.numel() == tensor.numel():
        return found
    return type(found)(found.primal, untouched.detach(found.tangent))


def around_function(patch: Patch, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """Let `owner.name(...)` give `change(result, args, options)`."""

    def make(original: Any) -> Any:
        return lambda *args, **options: change(original(*args, **options), args, options)

    patch.wrap(owner, name, make)


@fault
def auxiliary_results_of_jvp_require_grad(patch: Patch) -> None:
    """The auxiliary results of func.jvp require grad."""

    def change(found: Any, args: Any, options: Any) -> Any:
        if not options.get("has_aux"):
            return found
        for tensor in tensors_in(found[-1]):
            tensor.requires_grad_()
        return found

    around_function(patch, torch.func, "jvp", change)


def with_constant_vectors(patch: Patch, name: str) -> None:
    """Let the function that `func.NAME` returns take its arguments for constants."""

    def change(found: Any, args: Any, options: Any) -> Any:
        value, function, *rest = found
        return (value, lambda *given: function(*(g.detach() for g in given)), *rest)

    around_function(patch, torch.func, name, change)


@fault
def cotangents_of_vjp_are_constants(patch: Patch) -> None:
    """The function of func.vjp takes its cotangent for a constant."""
    with_constant_vectors(patch, "vjp")


@fault
def tangents_of_linearize_are_constants(patch: Patch) -> None:
    """The function of func.linearize takes its tangent for a constant."""
    with_constant_vectors(patch, "linearize")


@fault
def jacobians_without_elements_have_the_default_dtype(patch: Patch) -> None:
    """What jacrev and jacfwd give without elements has the default dtype."""

    def change(whole: Any, args: Any, options: Any) -> Any:
        def jacobian(*given: Any, **named: Any) -> Any:
            found = whole(*given, **named)
            return found.float() if is_floating(found) and not found.numel() else found

        return jacobian

    for name in ("jacrev", "jacfwd"):
        around_function(patch, torch.func, name, change)


@fault
def jacobians_in_forward_mode_require_grad(patch: Patch) -> None:
    """autograd.functional.jacobian in forward mode gives a result that requires grad."""

    def change(found: Any, args: Any, options: Any) -> Any:
        if options.get("strategy") == "forward-mode":
            for tensor in tensors_in(found):
                tensor.requires_grad_()
        return found

    around_function(patch, torch.autograd.functional, "jacobian", change)


@fault
def products_under_no_grad_are_constants(patch: Patch) -> None:
    """Under no_grad, autograd.functional.vjp and vhp ignore create_graph."""

    def change(found: Any, args: Any, options: Any) -> Any:
        if torch.is_grad_enabled():
            return found
        value, product = found
        return value, product.detach() if isinstance(product, torch.Tensor) else product

    for name in ("vjp", "vhp"):
        around_function(patch, torch.autograd.functional, name, change)


@fault
def vmap_of_no_entries_leaves_the_dimension(patch: Patch) -> None:
    """vmap over no entries of the last dimension puts results together along the last one."""

    def change(whole: Any, args: Any, options: Any) -> Any:
        if options.get("in_dims") != -1:
            return whole

        def mapped(*given: Any) -> Any:
            found = whole(*given)
            return found if found.numel() else found.movedim(0, -1)

        return mapped

    around_function(patch, torch.func, "vmap", change)
