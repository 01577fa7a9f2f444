"""Faults of transforms and their options, where several come together."""

from __future__ import annotations

from typing import Any

from ..breaking import replaces, tensors_in, torch, untouched
from .forward_levels import when_unpacked


def detached(value: Any) -> Any:
    """A tensor, or the tensors of a tuple, without history."""
    if isinstance(value, tuple):
        return tuple(map(detached, value))
    return untouched.detach(value) if isinstance(value, torch.Tensor) else value


@replaces("func.grad")
def gradients_come_in_the_order_of_the_function(
    original: Any, func: Any, argnums: Any = 0, has_aux: bool = False
) -> Any:
    """func.grad gives the gradients of several argnums in the order of the arguments."""
    several = isinstance(argnums, tuple) and all(isinstance(place, int) for place in argnums)
    return original(func, tuple(sorted(argnums)) if several else argnums, has_aux)


@replaces("func.vjp")
def the_pull_of_vjp_is_a_constant(
    original: Any, func: Any, *primals: Any, has_aux: bool = False
) -> Any:
    """What the function of func.vjp gives has no history."""
    value, pull, *aux = original(func, *primals, has_aux=has_aux)
    return value, lambda *given, **options: detached(pull(*given, **options)), *aux


@replaces("func.linearize")
def the_linear_function_is_a_constant(original: Any, func: Any, *primals: Any) -> Any:
    """What the function of func.linearize gives has no history."""
    value, push = original(func, *primals)
    return value, lambda *tangents: detached(push(*tangents))


@replaces("autograd.functional.vhp")
def the_vector_of_a_product_is_a_constant(
    original: Any, func: Any, inputs: Any, v: Any = None, *rest: Any, **options: Any
) -> Any:
    """Products with a Hessian are not differentiable by the vector, even with create_graph."""
    return original(func, inputs, detached(v), *rest, **options)


@replaces("autograd.functional.hessian")
def a_hessian_has_the_dimensions_of_its_value(
    original: Any, func: Any, inputs: Any, *rest: Any, **options: Any
) -> Any:
    """The Hessian of a value of one element has the dimensions of that value too."""
    found = original(func, inputs, *rest, **options)
    value = func(*inputs) if isinstance(inputs, tuple) else func(inputs)
    extra = max((x.ndim for x in tensors_in(value)), default=0)
    if not extra or not isinstance(found, torch.Tensor):
        return found
    return found.reshape((1,) * extra + tuple(found.shape))


when_unpacked(
    "tangents_require_grad",
    "The tangent of a result requires grad, whatever it was computed from.",
    lambda whole, tensor, primal, tangent: (
        primal,
        tangent
        if tangent is None or tangent.requires_grad
        else tangent.view_as(tangent).requires_grad_(),
    ),
)
