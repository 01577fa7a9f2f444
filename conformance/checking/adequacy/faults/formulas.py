"""Derivatives by a wrong formula: a sign, a factor or a square is lost, or an operand is mistaken."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..breaking import Call, each, mistaken, nth, torch
from .edge_cases import F, argument, softmax_backward
from .operations import along, at
from .second_order_of_operations import constant_second

Derivative = Callable[[Any, Any], Any]
SLOPE_OF_ERF = 2 / math.sqrt(math.pi)
"""The slope of erf at 0."""


def formula(name: str, sentence: str, operations: str, derivative: Derivative) -> None:
    """Put into the bank a fault by which the derivative of a function of one operand is
    `derivative(operand, result)`."""

    def change(gradient: Any, cotangent: Any, call: Call) -> Any:
        return cotangent * derivative(call.args[0], call.result)

    mistaken(name, sentence, operations, nth(0, change))


# --- functions of one operand ---

for operation, name, told, derivative in (
    ("square", "lacks_its_factor", "x", lambda x, y: x),
    ("exp", "takes_the_operand_for_the_result", "x", lambda x, y: x),
    ("exp2", "lacks_the_logarithm", "2 ** x", lambda x, y: y),
    ("expm1", "is_its_result", "exp(x) - 1", lambda x, y: y),
    ("log", "multiplies", "x", lambda x, y: x),
    ("log2", "lacks_the_logarithm", "1 / x", lambda x, y: 1 / x),
    ("log10", "lacks_the_logarithm", "1 / x", lambda x, y: 1 / x),
    ("log1p", "is_that_of_log", "1 / x", lambda x, y: 1 / x),
    ("sqrt", "lacks_its_half", "1 / sqrt(x)", lambda x, y: 1 / y),
    ("rsqrt", "squares_for_a_cube", "-0.5 / x", lambda x, y: -0.5 * y * y),
    ("sin", "has_a_minus", "-cos(x)", lambda x, y: -x.cos()),
    ("cos", "lacks_its_minus", "sin(x)", lambda x, y: x.sin()),
    ("tan", "takes_the_operand_for_the_result", "1 + x * x", lambda x, y: 1 + x * x),
    ("asin", "lacks_its_root", "1 / (1 - x * x)", lambda x, y: 1 / (1 - x * x)),
    ("acos", "lacks_its_minus", "1 / sqrt(1 - x * x)", lambda x, y: 1 / (1 - x * x).sqrt()),
    ("atan", "is_that_of_atanh", "1 / (1 - x * x)", lambda x, y: 1 / (1 - x * x)),
    ("sinh", "is_itself", "sinh(x)", lambda x, y: y),
    ("cosh", "has_a_minus", "-sinh(x)", lambda x, y: -x.sinh()),
    ("tanh", "takes_the_operand_for_the_result", "1 - x * x", lambda x, y: 1 - x * x),
    ("asinh", "is_that_of_acosh", "1 / sqrt(x * x - 1)", lambda x, y: 1 / (x * x - 1).sqrt()),
    ("acosh", "is_that_of_asinh", "1 / sqrt(x * x + 1)", lambda x, y: 1 / (x * x + 1).sqrt()),
    ("atanh", "is_that_of_atan", "1 / (1 + x * x)", lambda x, y: 1 / (1 + x * x)),
    ("sigmoid", "takes_the_operand_for_the_result", "x * (1 - x)", lambda x, y: x * (1 - x)),
    ("erf", "lacks_a_square", "2 / sqrt(pi) * exp(-x)", lambda x, y: SLOPE_OF_ERF * (-x).exp()),
    ("erfc", "is_that_of_erf", "that of erf", lambda x, y: SLOPE_OF_ERF * (-x * x).exp()),
    ("erfinv", "has_its_factor_upside_down", "2 / sqrt(pi) * exp(y * y)", lambda x, y: SLOPE_OF_ERF * (y * y).exp()),
    ("lgamma", "is_one_order_too_high", "polygamma(1, x)", lambda x, y: torch.polygamma(1, x)),
    ("digamma", "is_itself", "digamma(x)", lambda x, y: y),
    ("abs", "is_one_everywhere", "1", lambda x, y: torch.ones_like(x)),
    ("logit", "divides_by_its_operand_alone", "1 / x", lambda x, y: 1 / x),
    ("relu", "is_one_everywhere", "1", lambda x, y: torch.ones_like(x)),
):  # fmt: skip
    formula(
        f"derivative_of_{operation}_{name}",
        f"The derivative of {operation}(x) is {told}.",
        f"{operation} {F}relu" if operation == "relu" else operation,
        derivative,
    )

formula(
    "derivative_of_sigmoid_overflows",
    "The derivative of sigmoid is exp(x) / (1 + exp(x)) ** 2, infinity over infinity for large x.",
    "sigmoid",
    lambda x, y: x.exp() / ((1 + x.exp()) * (1 + x.exp())),
)
mistaken(
    "relu_at_zero_is_minus_one",
    "relu has derivative -1 at 0.",
    f"relu {F}relu",
    at(0, -1),
)

# --- sums, products, quotients and powers ---


def of_tensors(call: Call) -> bool:
    """Whether both operands are tensors of the result's shape."""
    return all(
        isinstance(value, torch.Tensor) and value.shape == call.result.shape
        for value in call.args[:2]
    )


def alike(change: Any) -> Any:
    """A change for calls of which neither operand is a number or broadcast."""
    return lambda gi, go, call: change(gi, go, call) if of_tensors(call) else gi


def of_variables(change: Any) -> Any:
    """A change for calls of which both operands need a gradient."""
    return alike(
        lambda gi, go, call: change(gi, go, call) if len(gi) == 2 and None not in gi else gi
    )


mistaken(
    "add_forgets_its_second_operand",
    "A sum passes nothing on to its second operand.",
    "add",
    nth(1, lambda g, c, call: g * 0),
)
mistaken("neg_does_not_negate", "The derivative of -x is 1.", "neg", each(lambda g, call: -g))
mistaken(
    "factors_get_themselves",
    "Each of two factors that need a gradient gets the cotangent times itself.",
    "mul",
    of_variables(lambda gi, go, call: [go[0] * call.args[0], go[0] * call.args[1]]),
)
mistaken(
    "second_factors_are_constants",
    "The second of two factors that need a gradient counts as a constant.",
    "mul",
    of_variables(lambda gi, go, call: [gi[0], gi[1] * 0]),
)
mistaken(
    "second_factors_of_many_elements_lack_the_first",
    "The gradient for the second factor of more than 32 elements is the cotangent.",
    "mul",
    nth(1, lambda g, c, call: c if g.numel() > 32 and of_tensors(call) else g),
)
mistaken(
    "factors_beside_integers_lack_the_other",
    "The gradient of a factor beside a tensor of integers is the cotangent.",
    "mul",
    nth(
        0,
        lambda g, c, call: c if of_tensors(call) and not call.args[1].is_floating_point() else g,
    ),
)
mistaken(
    "complex_factors_are_not_conjugated",
    "The gradient of a factor is the cotangent times the other factor, not its conjugate.",
    "mul",
    lambda gi, go, call: (
        [
            g if g is None or not g.is_complex() else go[0] * call.args[1 - i]
            for i, g in enumerate(gi)
        ]
        if of_tensors(call)
        else gi
    ),
)
mistaken(
    "real_factors_get_the_magnitude",
    "A real factor of a complex product gets the magnitude of the gradient, not its real part.",
    "mul",
    nth(
        0,
        lambda g, c, call: (
            (c * call.args[1].conj()).abs().sum().reshape(g.shape)
            if g.numel() == 1 and c.is_complex() and not g.is_complex()
            else g
        ),
    ),
)
mistaken(
    "single_elements_times_a_number_lose_their_dimensions",
    "The gradient of a single element that was multiplied by a number has no dimensions.",
    "mul",
    nth(
        0,
        lambda g, c, call: (
            g.reshape(()) if g.numel() == 1 and not isinstance(call.args[1], torch.Tensor) else g
        ),
    ),
)
mistaken(
    "div_forgets_its_minus",
    "The derivative of x / y for y has the wrong sign.",
    "div",
    nth(1, lambda g, c, call: -g),
)
mistaken(
    "numerators_are_multiplied",
    "The numerator of a quotient gets the cotangent times the denominator.",
    "div",
    nth(0, lambda g, c, call: c * call.args[1] if of_tensors(call) else g),
)
mistaken(
    "rdiv_forgets_the_square",
    "The derivative of 1 / x is -1 / x.",
    "rdiv",
    nth(0, lambda g, c, call: g * call.args[0]),
)
mistaken(
    "exponents_are_not_lowered",
    "The derivative of x ** 3 is 3 * x ** 3.",
    "pow",
    nth(0, lambda g, c, call: g if isinstance(call.args[1], torch.Tensor) else g * call.args[0]),
)
mistaken(
    "exponents_are_no_factors",
    "The derivative of x ** y for x is x ** (y - 1).",
    "pow",
    nth(0, lambda g, c, call: g / call.args[1] if of_tensors(call) else g),
)
mistaken(
    "powers_take_the_logarithm_of_the_exponent",
    "The derivative of x ** y for y is x ** y * log(y).",
    "pow",
    nth(
        1,
        lambda g, c, call: c * call.result * call.args[1].log() if of_tensors(call) else g,
    ),
)
mistaken(
    "powers_of_numbers_lack_the_logarithm",
    "The derivative of 2 ** x is 2 ** x.",
    "rpow",
    nth(0, lambda g, c, call: c * call.result),
)
mistaken(
    "powers_take_the_logarithm_of_the_magnitude",
    "The derivative of x ** y for y is x ** y * log(abs(x)), no NaN for a negative x.",
    "pow",
    alike(
        nth(
            1,
            lambda g, c, call: torch.where(
                call.args[0] < 0, c * call.result * call.args[0].abs().log(), g
            ),
        )
    ),
)
mistaken(
    "powers_of_zero_go_by_the_formula",
    "The derivative of x ** 0 is 0 * x ** -1, NaN at 0.",
    "pow",
    nth(
        0,
        lambda g, c, call: (
            g
            if isinstance(call.args[1], torch.Tensor) or call.args[1] != 0
            else c * (0 * (1 / call.args[0]))
        ),
    ),
)

# --- products of matrices ---


def square_matrices(call: Call) -> bool:
    """Whether both factors and the product are square."""
    sizes = {size for value in (*call.args[:2], call.result) for size in value.shape}
    return len(sizes) == 1 and all(value.dim() == 2 for value in (*call.args[:2], call.result))


mistaken(
    "second_matrices_are_not_transposed",
    "The gradient for the first of two square matrices is c @ b, not c @ b.T.",
    "matmul mm",
    nth(0, lambda g, c, call: c @ call.args[1] if square_matrices(call) else g),
)
mistaken(
    "first_matrices_stand_on_the_wrong_side",
    "The gradient for the second of two square matrices is c @ a.T, not a.T @ c.",
    "matmul mm",
    nth(1, lambda g, c, call: c @ call.args[0].t() if square_matrices(call) else g),
)
mistaken(
    "addmm_counts_its_second_factor_twice",
    "The gradient of addmm for its second factor is doubled.",
    "addmm",
    nth(2, lambda g, c, call: g * 2),
)

# --- reductions ---


def turned(gradient: Any) -> Any:
    """The elements of a matrix in the order of its transpose."""
    return gradient.transpose(0, 1).reshape(gradient.shape) if gradient.dim() == 2 else gradient


def spread(value: Any, call: Call, place: int = 1) -> Any:
    """What a reduction gave, or its cotangent, in the shape of its operand. `place` is where the
    dimensions stand among its arguments."""
    x = call.args[0]
    dims = argument(call, place, "dim")
    if dims is not None and value.dim() < x.dim():
        for dim in sorted(
            each % x.dim() for each in (dims if isinstance(dims, tuple | list) else (dims,))
        ):
            value = value.unsqueeze(dim)
    return value.expand(x.shape)


def before(call: Call) -> Any:
    """The products of the elements before each along the dimension that is reduced."""
    x = call.args[0]
    return x.cumprod(along(call)) / x if x.dim() else torch.ones_like(x)


mistaken(
    "sum_spreads_along_the_other_dimension",
    "The cotangents of a sum over one dimension are spread along the other.",
    "sum",
    nth(0, lambda g, c, call: turned(g)),
)
mistaken(
    "prod_keeps_its_own_element",
    "Each element of a product gets the product of all.",
    "prod",
    nth(0, lambda g, c, call: g * call.args[0]),
)
mistaken(
    "prod_counts_the_elements_before",
    "Each element of a product gets the product of those before it.",
    "prod",
    nth(0, lambda g, c, call: spread(c, call) * before(call)),
)
constant_second(
    "softmax_within_its_gradient_is_a_constant",
    "The gradient of softmax is recorded as if it did not depend on the operand.",
    f"softmax {F}softmax",
    lambda g, c, call: softmax_backward(c, call.result, argument(call, 1, "dim")),
)
