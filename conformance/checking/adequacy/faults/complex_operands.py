"""Faults of complex numbers beside real ones, and of complex factors."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, Patch, around, each, fault, miscompute, replaces, torch, untouched
from .hooks import changed_hook
from .transforms import functions


def is_complex(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and bool(untouched.is_complex(value))


@fault
def gradients_of_complex_deviations_are_conjugated(patch: Patch) -> None:
    """The gradient of std and var of complex numbers is conjugated."""
    miscompute(patch, "std var", each(lambda g, call: g.conj() if is_complex(g) else g))


@fault
def complex_factors_of_addcmul_are_not_conjugated(patch: Patch) -> None:
    """The gradients of addcmul and addcdiv are multiplied by value, not by its conjugate."""

    def change(gradients: tuple[Any, ...], _: Any, call: Call) -> Any:
        value = call.kwargs.get("value")
        if not isinstance(value, complex):
            return gradients
        wrong = value / value.conjugate()
        return gradients[0], *(None if g is None else g * wrong for g in gradients[1:])

    miscompute(patch, "addcmul addcdiv", change)


@fault
def complex_weights_are_not_conjugated(patch: Patch) -> None:
    """The gradients of lerp are multiplied by the weight, not by its conjugate."""

    def change(gradients: tuple[Any, ...], cotangents: tuple[Any, ...], call: Call) -> Any:
        weight = call.args[2] if len(call.args) > 2 else None
        if not is_complex(weight) or gradients[1] is None:
            return gradients
        return gradients[0], cotangents[0] * untouched.detach(weight), *gradients[2:]

    miscompute(patch, "lerp", change)


@fault
def complex_values_are_written_into_real_tensors(patch: Patch) -> None:
    """An in-place operation with a complex operand drops its imaginary part where the tensor is real."""

    def write(original: Any, self: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_complex(self) and (is_complex(other) or isinstance(other, complex)):
            other = other.real
        return original(self, other, *args, **kwargs)

    around(patch, "add_ mul_ div_", write)


@fault
def hooks_of_real_tensors_may_return_complex_gradients(patch: Patch) -> None:
    """A complex gradient that the hook of a real tensor returns loses its imaginary part."""

    def change(hook: Any, tensor: Any) -> Any:
        real = not is_complex(tensor)

        def called(gradient: Any) -> Any:
            found = hook(gradient)
            return untouched.clone(found.real) if real and is_complex(found) else found

        return called

    changed_hook(patch, change)


@replaces("autograd.functional.vjp")
def vectors_of_functional_products_are_conjugated(
    original: Any, func: Any, inputs: Any, v: Any = None, **options: Any
) -> Any:
    """autograd.functional.vjp conjugates a complex vector."""
    return original(func, inputs, v.conj() if is_complex(v) else v, **options)


@fault
def grad_takes_the_real_part_of_its_function(patch: Patch) -> None:
    """func.grad differentiates the real part of a complex output."""

    def change(function: Any) -> Any:
        def real(*args: Any, **kwargs: Any) -> Any:
            found = function(*args, **kwargs)
            return found.real if is_complex(found) else found

        return real

    functions(patch, change, ("grad", "grad_and_value"))
