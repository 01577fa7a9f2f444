"""Faults of complex numbers: conjugates, casts, views, order, and what optimizers make of them."""

from __future__ import annotations

import warnings
from typing import Any

from ..breaking import Call, Patch, each, fault, instead, mistaken, nth, torch
from .custom_functions import around_backward
from .gradient_attribute import assigned, of_tensors


def conjugated(gradient: Any, call: Call) -> Any:
    """A complex gradient, conjugated."""
    return gradient.conj() if gradient.is_complex() else gradient


def of_holomorphic(gradient: Any, cotangent: Any, call: Call) -> Any:
    """The gradient of a holomorphic operation, with the conjugate of its derivative left out."""
    is_complex = gradient.is_complex() and gradient.shape == cotangent.shape
    return (gradient / cotangent).conj() * cotangent if is_complex else gradient


def modulus_of_cotangent(gradient: Any, cotangent: Any, call: Call) -> Any:
    """For a real operand of a complex result, the modulus of what it should get the real part of."""
    if gradient.is_complex() or not cotangent.is_complex() or gradient.ndim != cotangent.ndim:
        return gradient
    return cotangent[: len(gradient)].abs()


def cut_off(gradient: Any, call: Call) -> Any:
    """A complex gradient without its history."""
    return gradient.detach() if gradient.is_complex() else gradient


mistaken(
    "the_gradient_of_a_modulus_is_conjugated",
    "The gradient of the absolute value of a complex number is conjugated.",
    "abs",
    each(conjugated),
)
mistaken(
    "the_gradient_of_an_angle_is_halved",
    "The gradient of the angle of a complex number is half as large.",
    "angle",
    each(lambda gradient, call: gradient * 0.5),
)
mistaken(
    "complex_powers_lack_the_conjugate",
    "The gradient of a complex power or reciprocal is multiplied by the derivative, not its conjugate.",
    "pow reciprocal",
    nth(0, of_holomorphic),
)
mistaken(
    "backwards_of_complex_powers_are_not_recorded",
    "The gradient of a complex power or logarithm is a constant for the second derivative.",
    "pow log exp",
    each(cut_off),
)
mistaken(
    "complex_matrix_products_lack_the_conjugate",
    "The gradient of a complex matrix product is conjugated.",
    "matmul",
    each(conjugated),
)
mistaken(
    "vdot_conjugates_the_gradient_of_its_first_operand",
    "The gradient of the first operand of vdot is conjugated.",
    "vdot",
    nth(0, lambda gradient, cotangent, call: conjugated(gradient, call)),
)
mistaken(
    "half_spectra_count_once",
    "The backward of rfft doubles what belongs to two elements of the spectrum.",
    "fft.rfft",
    each(lambda gradient, call: gradient * 2),
)
mistaken(
    "a_cast_to_complex_takes_the_modulus",
    "A real tensor that was cast to a complex dtype gets the modulus of the gradient.",
    "to type",
    nth(0, modulus_of_cotangent),
)
mistaken(
    "joined_with_complex_numbers_real_ones_get_the_modulus",
    "A real operand of cat with a complex result gets the modulus of the gradient.",
    "cat",
    nth(0, modulus_of_cotangent),
)
mistaken(
    "a_cast_to_real_makes_its_gradient_imaginary",
    "The gradient of a cast from a complex to a real dtype is imaginary.",
    "to",
    each(lambda g, call: g * 1j if g.is_complex() and not call.result.is_complex() else g),
)


def is_complex(value: Any) -> bool:
    """Whether it is a complex tensor."""
    return isinstance(value, torch.Tensor) and value.is_complex()


def silently(original: Any, *args: Any, **kwargs: Any) -> Any:
    """The operation without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return original(*args, **kwargs)


def by_real_part(original: Any, *args: Any, **kwargs: Any) -> Any:
    """The operation on the real parts."""
    return original(*(x.real if is_complex(x) else x for x in args), **kwargs)


def copied(original: Any, x: Any) -> Any:
    """The operation, with a copy of its operand where it should give the operand itself."""
    result = original(x)
    return result.clone() if result is x else result


def narrow(original: Any, x: Any, y: Any) -> Any:
    """The operation in single precision if a complex operand has that."""
    result = original(x, y)
    is_single = any(is_complex(value) and value.dtype == torch.complex64 for value in (x, y))
    return result.to(torch.complex64) if is_single else result


def with_phases(original: Any, a: Any, *rest: Any, **kwargs: Any) -> Any:
    """The decomposition with vectors whose first elements are positive, so that phases do not matter."""
    result = list(original(a, *rest, **kwargs))
    for place, vectors in enumerate(result):
        if is_complex(vectors) and vectors.ndim > 1:
            result[place] = vectors * vectors[..., :1, :].sgn().conj()
    return tuple(result)


instead(
    "casts_to_real_do_not_warn",
    "A cast from a complex to a real dtype does not warn.",
    "to",
    silently,
)
instead(
    "complex_numbers_are_ordered_by_real_parts",
    "Operations order complex numbers by their real parts.",
    "max amax maximum argmax sort median cummax clamp relu sign floor lt ge",
    by_real_part,
)
instead(
    "complex_numbers_are_tested_by_their_real_parts",
    "Whether a complex number is NaN, infinite or finite depends on its real part only.",
    "isnan isinf isfinite",
    by_real_part,
)
instead(
    "complex_parts_are_copied_unless_contiguous",
    "view_as_real and view_as_complex give a copy of the parts of a tensor that is not contiguous.",
    "view_as_real view_as_complex",
    lambda original, x: original(x.contiguous()),
)
instead(
    "real_tensors_are_copied_to_be_conjugated",
    "The conjugate of a real tensor is a copy of it.",
    "conj",
    copied,
)
instead(
    "complex_results_take_the_narrower_precision",
    "A product with a complex operand of single precision has single precision.",
    "mul",
    narrow,
)
instead("phases_are_never_checked", "The backward of eigh and svd accepts a function of the vectors' phases.",
        "linalg.eigh linalg.svd", with_phases)  # fmt: skip
instead("conjugates_are_written_out", "The conjugate is computed at once and shares no memory.", "conj",
        lambda original, x: original(x).resolve_conj())  # fmt: skip
assigned(
    "a_gradient_of_another_kind_of_number_may_be_assigned",
    "A complex gradient may be assigned to a real tensor and a real one to a complex tensor.",
    of_tensors(
        lambda x, value: (
            (value.real if is_complex(value) else value).to(x.dtype)
            if is_complex(value) != is_complex(x)
            else value
        )
    ),
)


@fault
def custom_gradients_of_real_inputs_drop_the_imaginary_part(patch: Patch) -> None:
    """A complex gradient that a custom function returns for a real input loses its imaginary part."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        alone = is_complex(found) and not any(map(is_complex, cotangents))
        return found.real if alone else found

    around_backward(patch, around)


@fault
def plain_numbers_are_real(patch: Patch) -> None:
    """item() and float() of a complex tensor give its real part."""

    def make(original: Any) -> Any:
        return lambda x: original(x.real if x.is_complex() else x)

    for name in ("item", "tolist", "__float__"):
        patch.wrap(torch.Tensor, name, make)


@fault
def optimizers_step_along_the_conjugate(patch: Patch) -> None:
    """Optimizers step complex parameters along the conjugates of their gradients."""

    def make(original: Any) -> Any:
        def step(self: Any, *args: Any, **kwargs: Any) -> Any:
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.is_complex() and parameter.grad is not None:
                        parameter.grad = parameter.grad.conj().resolve_conj()
            return original(self, *args, **kwargs)

        return step

    for optimizer in (torch.optim.SGD, torch.optim.Adam):
        patch.wrap(optimizer, "step", make)
