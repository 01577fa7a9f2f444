"""Elementwise functions of two operands."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import astype, full
from ..backend.bfloat16 import next_after
from ..backend.dtypes import BY_NUMPY, COMPLEX, result_type
from ..backend.kernels import power
from ..graph.row import FLOAT, HOLOMORPHIC, POINTWISE
from ..tensor.tensor import Tensor, wrap
from .choose import E, data_of, where
from .compare import isnan
from .core import cast_to, div, no_complex, zeros_of
from .dims import needs_tensor
from .op import Op, op, variant
from .pointwise import LN2, log, sigmoid, trunc
from .registry import by_kind, expose, method, public


def pow_base(g: Any, x: Any, y: Any) -> Any:
    """d(x**y)/dx, zero where the exponent is zero."""
    base = where(y == 0, 1, x)  # in forward mode, what is masked must be finite too
    return where(y == 0, 0, g * (y * pow_(base, where(y == 0, 1, y - 1))))


def pow_exponent(g: Any, x: Any, y: Any, out: Any) -> Any:
    """d(x**y)/dy, zero where the base is zero and the exponent is not negative."""
    null = (x == 0) & (y >= 0) if data_of(y).dtype.kind != "c" else x == 0
    return where(null, 0, g * (out * log(where(null, 1, x))))


def _power(x: Any, y: Any) -> Any:
    """``x ** y``; a whole number to a negative power is the whole part of its inverse."""
    if getattr(y, "dtype", x.dtype).kind != "i" or x.dtype.kind not in "iu":
        return power(x, y)
    inverse = np.where(x == 1, 1, np.where(x == -1, 1 - 2 * (y % 2), 0))
    return astype(np.where(y < 0, inverse, np.power(x, np.maximum(y, 0))), x.dtype)


pow_ = op(
    "pow(x, y)",
    _power,
    E | HOLOMORPHIC,
    node="PowBackward1",
    refuses="b",
    x=pow_base,
    y=pow_exponent,
)


def pow_number_rule(g: Any, x: Any, exponent: Any) -> Any:
    """d(x**n)/dx for a number n. Under create_graph x stays linked down to its power zero."""
    if exponent == 0:
        return zeros_of(g)
    if exponent == 2 and not isinstance(x, Tensor):
        return g * (2 * x)
    return g * (exponent * pow_number(x, exponent - 1))


SHORT: dict[Any, Callable[[Any], Any]] = {
    2: np.square,
    3: lambda x: x * x * x,
    -1: lambda x: 1 / x,
    -2: lambda x: 1 / (x * x),
    0.5: np.sqrt,
    -0.5: lambda x: 1 / np.sqrt(x),
}
"""Powers that are computed without the general one."""


def raised(x: Any, n: Any) -> Any:
    """``x ** n`` for a number n."""
    short = SHORT.get(n) if n == 2 or x.dtype.kind in "fc" else None
    return power(x, n) if short is None else short(x)


pow_number = op(
    "pow(x, /, exponent)",
    raised,
    POINTWISE | HOLOMORPHIC,
    x=pow_number_rule,
)
number_pow = op(
    "pow(x, /, base)",
    lambda x, base: _power(as_dtype(base, x), x),
    POINTWISE | HOLOMORPHIC,
    node="PowBackward2",
    x=lambda g, x, out, base: (
        g * (out * log_of(base, x))
        if base
        else g * where(x >= 0, 0, where(x < 0, zeros_of(x) - math.inf, x))
    ),
)


def log_of(base: Any, x: Any) -> Any:
    """The logarithm of a number that is raised to ``x``: of a negative one NaN, unless ``x`` is complex.
    Like all values of a holomorphic rule it is conjugated then, on the negative axis too."""
    if data_of(x).dtype.kind == "c":
        return cmath.log(base if isinstance(base, complex) else complex(base).conjugate())
    return math.log(base) if base > 0 else math.nan


def as_dtype(value: Any, x: Any) -> Any:
    """A number as an array scalar of the dtype of ``x``."""
    return full((), value, x.dtype, x)


def shared(g: Any, lost: Any, tie: Any) -> Any:
    """Half of ``g`` at a tie, and nothing where the other operand won; so all of it beside NaN."""
    return where(tie, g / 2, where(lost, 0, g))


maximum = op(
    "maximum(x, y)",
    lambda x, y: np.maximum(y, x),  # of zeros that differ in sign NumPy gives the second
    E,
    check=no_complex("maximum"),
    x=lambda g, x, y: shared(g, x < y, x == y),
    y=lambda g, x, y: shared(g, y < x, x == y),
)
minimum = op(
    "minimum(x, y)",
    lambda x, y: np.minimum(y, x),
    E,
    check=no_complex("minimum"),
    x=lambda g, x, y: shared(g, x > y, x == y),
    y=lambda g, x, y: shared(g, y > x, x == y),
)
fmax = op(
    "fmax(x, y)",
    np.fmax,
    E,
    check=no_complex("fmax"),
    x=lambda g, x, y: where((x >= y) | isnan(y), g, 0),
    y=lambda g, x, y: where((x >= y) | isnan(y), 0, g),
)
fmin = op(
    "fmin(x, y)",
    np.fmin,
    E,
    check=no_complex("fmin"),
    x=lambda g, x, y: where((x <= y) | isnan(y), g, 0),
    y=lambda g, x, y: where((x <= y) | isnan(y), 0, g),
)


def atan2_share(g: Any, x: Any, y: Any, along: Any) -> Any:
    """g * along / (x^2 + y^2), zero at the origin; the squares are those of numbers near one."""
    size = astype(np.maximum(np.abs(data_of(x)), np.abs(data_of(y))), np.float64)
    ones = np.ones_like(size)
    power = np.frexp(np.where(np.isfinite(size) & (size > 0), size, ones))[1]
    unit: Any = astype(np.ldexp(ones, power - 1), data_of(x).dtype)
    unit = wrap(unit) if isinstance(x, Tensor) else unit
    x, y = x / unit, y / unit
    r = x * x + y * y
    return where(r == 0, 0, along / unit / where(r == 0, 1, r)) * g / unit


atan2 = op(
    "atan2(x, y)",
    np.arctan2,
    E | FLOAT,
    refuses="c",
    x=lambda g, x, y: atan2_share(g, x, y, y),
    y=lambda g, x, y: atan2_share(g, x, y, -x),
)
hypot = op(
    "hypot(x, y)",
    np.hypot,
    E,
    refuses="bi",
    x=lambda g, x, out: g * (x / out),
    y=lambda g, y, out: g * (y / out),
)


def _log_of_sum(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)), of complex numbers shifted by the one of the larger real part."""
    if x.dtype.kind != "c":
        return np.logaddexp(x, y)
    top, other = np.where(x.real >= y.real, x, y), np.where(x.real >= y.real, y, x)
    return astype(top + np.log1p(np.exp(other - top)), x.dtype)


logaddexp = op(
    "logaddexp(x, y)",
    _log_of_sum,
    E | HOLOMORPHIC,
    refuses="bi",
    x=lambda g, x, y: g * sigmoid(x - y),
    y=lambda g, x, y: g * sigmoid(y - x),
)
logaddexp2 = op(
    "logaddexp2(x, y)",
    np.logaddexp2,
    E,
    refuses="bi",
    x=lambda g, x, y: g * sigmoid((x - y) * LN2),
    y=lambda g, x, y: g * sigmoid((y - x) * LN2),
)


def _xlogy(x: Any, y: Any) -> Any:
    dtype = result_type(x, y)
    return astype(np.where(x == 0, np.where(np.isnan(y), y, 0), x * np.log(y)), dtype)


def beside_zero(logarithm: Callable[[Any], Any], least: int) -> Callable[..., Any]:
    """The rule by x of x times a logarithm of y: zero where the value is zero although the logarithm,
    of `least` and below, is not finite."""

    def rule(g: Any, x: Any, y: Any) -> Any:
        null = (x == 0) & (y <= least)
        return where(null, 0, g * logarithm(where(null, least + 1, y)))

    return rule


xlogy = op(
    "xlogy(x, y)",
    _xlogy,
    E | FLOAT,
    refuses="c",
    x=beside_zero(log, 0),
    y=lambda g, x, y: g * (x / y),
)
copysign = op(
    "copysign(x, y)",
    np.copysign,
    E | FLOAT,
    x=lambda g, x, out: where(x == 0, 0, g * (out / where(x == 0, 1, x))),
    y=lambda g: zeros_of(g),
)


def whole_numbers(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A division whose kernel refuses integers divided by zero."""

    def run(x: Any, y: Any) -> Any:
        divisor = np.asarray(y) if isinstance(y, (int, float)) else y
        kinds = divisor.dtype.kind + getattr(x, "dtype", divisor.dtype).kind
        if kinds.strip("iu") == "" and not divisor.all():
            raise errors.wrong_value("ZeroDivisionError", RuntimeError)
        return kernel(x, y)

    return run


fmod = op(
    "fmod(x, y)",
    whole_numbers(np.fmod),
    E,
    refuses="bc",
    x=lambda g: g,
    y=lambda g, x, y: -g * trunc(x / y),
)


def signed_remainder(x: Any, y: Any) -> Any:
    """The remainder of floor division; a zero has the sign of the dividend."""
    out = np.remainder(x, y)
    if out.dtype.kind != "f":
        return out
    return np.where(out == 0, np.copysign(out, x), out)


remainder = op(
    "remainder(x, y)",
    whole_numbers(signed_remainder),
    E,
    refuses="bc",
    x=lambda g: g,
    y=lambda g, x, y: -g * div_floor(x, y),
)
div_floor: Op = op(
    "div(x, y)",
    whole_numbers(np.floor_divide),
    E,
    refuses="bc",
    x=lambda g: zeros_of(g),
    y=lambda g: zeros_of(g),
)


def _div_trunc(x: Any, y: Any) -> Any:
    """The quotient rounded towards zero, of whole numbers exactly."""
    if x.dtype.kind in "iu":
        return (x - np.fmod(x, y)) // y
    return np.trunc(x / y).astype(x.dtype)


div_trunc = op(
    "div(x, y)",
    whole_numbers(_div_trunc),
    E,
    refuses="bc",
    x=lambda g: zeros_of(g),
    y=lambda g: zeros_of(g),
)


rounded_floor, rounded_trunc = (variant(r, "DivBackward2") for r in (div_floor, div_trunc))


def no_derivative(name: str, kind: type[RuntimeError] = RuntimeError) -> Callable[[Any], Any]:
    """The rule of an operation that has none: refuses, in this way, when backward reaches it."""

    def rule(g: Any) -> Any:
        raise errors.no_derivative(name, kind)

    return rule


floor_divide = op(
    "floor_divide(x, y)",
    whole_numbers(np.floor_divide),
    E,
    refuses="bc",
    node="NotImplemented",
    x=no_derivative("floor_divide"),
    y=no_derivative("floor_divide"),
)


def step_operands(arrays: Any) -> None:
    """Refuse complex operands, and operands of two dtypes."""
    no_complex("heaviside")(arrays)
    if len({a.dtype for a in arrays}) > 1:
        raise errors.wrong_dtype(
            f"heaviside(): the dtypes must agree; got {[a.dtype for a in arrays]}"
        )


heaviside = op(
    "heaviside(x, y)",
    lambda x, y: astype(np.where(x == 0, y, x > 0), x.dtype),
    E,
    check=step_operands,
    node="NotImplemented",
    x=no_derivative("heaviside"),
    y=no_derivative("heaviside"),
)
nextafter = op(
    "nextafter(x, y)",
    next_after,
    E,
    refuses="bi",
    x=lambda g, x, y: where(x == y, 0, g),
    y=lambda g: zeros_of(g),
)

fmod_any = by_kind(fmod, variant(fmod, "FmodBackward1"))
number_remainder = op(
    "remainder(x, y)",
    remainder.row.kernel,
    E,
    refuses="bc",
    node="NotImplemented",
    x=no_derivative("remainder"),
    y=no_derivative("remainder"),
)
remainder_any = by_kind(
    remainder, by_kind(number_remainder, variant(remainder, "RemainderBackward1"), 0)
)
copysign_any = by_kind(variant(copysign, "CopysignBackward1"), copysign)
xlogy_any = by_kind(
    variant(xlogy, "XlogyBackward2"), by_kind(variant(xlogy, "XlogyBackward1"), xlogy, 0)
)
expose(
    (xlogy_any, "input * log(other), and zero where input is zero (unless other is NaN)."),
    (copysign_any, "The magnitude of input with the sign of other, broadcast."),
    (fmod_any, "The remainder of input / other, with the sign of input; broadcast."),
    (remainder_any, "The remainder of input / other, with the sign of other; broadcast."),
    (floor_divide, "input / other, rounded down; broadcast, without a derivative."),
)
expose(
    (atan2, "The angle, in radians, of the point (other, input); broadcast."),
    (hypot, "sqrt(input * input + other * other), without overflow; broadcast."),
    (nextafter, "The next floating-point number after input in the direction of other."),
    numbers=False,
    arctan2=atan2,
)
expose(
    (heaviside, "0 where input is negative, 1 where positive, and ``values`` where zero."),
    numbers=False,
    second="values",
)
expose(
    (maximum, "The larger of two elements, or NaN if either is; ties share the gradient evenly."),
    (minimum, "The smaller of two elements, or NaN if either is; ties share the gradient evenly."),
    (fmax, "The larger of two elements; if one is NaN, the other. A tie gives input the gradient."),
    (
        fmin,
        "The smaller of two elements; if one is NaN, the other. A tie gives input the gradient.",
    ),
    (logaddexp, "log(exp(input) + exp(other)), without overflow; broadcast."),
    (logaddexp2, "log2(2 ** input + 2 ** other), without overflow; broadcast."),
    inplace=False,
    numbers=False,
)


@public("div", "divide", "true_divide")
def div_public(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """input / other; with a rounding mode "floor" or "trunc", rounded, and then the gradient is
    zero."""
    return divided(rounding_mode).apply(input, other)  # type: ignore[no-any-return]


def divided(rounding_mode: str | None) -> Any:
    """The division that rounds in this way.

    Raises:
        RuntimeError: there is none.
    """
    if rounding_mode is not None and not isinstance(rounding_mode, str):
        raise errors.wrong_type(
            f"div(): argument 'rounding_mode' must be str, not {type(rounding_mode).__name__}"
        )
    rows = {None: div, "floor": rounded_floor, "trunc": rounded_trunc}
    if rounding_mode not in rows:
        raise errors.wrong_value(
            f"div(): rounding_mode must be None, 'trunc' or 'floor'; got '{rounding_mode}'",
            RuntimeError,
        )
    return rows[rounding_mode]


@method("div_", "divide_", "true_divide_")
def div_(self: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """self /= other."""
    return divided(rounding_mode).inplace(self, other)  # type: ignore[no-any-return]


@public("pow")
def pow_public(input: Any = None, exponent: Any = None, *, self: Any = None) -> Tensor:
    """input ** exponent, either of which may be a number; a number may also be called ``self``."""
    input = self if input is None else input
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            return pow_.apply(input, exponent)
        return number_pow.apply(promote_for(exponent, input), input)
    if not isinstance(exponent, (int, float, complex)):
        raise errors.no_operand("pow", "exponent", exponent)
    needs_tensor("pow", "input", input)
    no_fractions(input, exponent)
    return pow_number.apply(promote_for(input, exponent), exponent)


def no_fractions(x: Tensor, exponent: Any) -> None:
    """Refuse whole numbers to a negative whole power, which are fractions."""
    if x._data.dtype.kind in "iub" and isinstance(exponent, int) and exponent < 0:
        raise errors.wrong_dtype(
            "Integers to negative integer powers are not allowed; convert to float"
        )


def promote_for(x: Tensor, value: Any) -> Tensor:
    """``x`` in the dtype that combining it with a number gives."""
    return cast_to(x, result_type(x._data, value))  # type: ignore[no-any-return]


@method("pow_")
def pow_inplace(self: Tensor, exponent: Any) -> Tensor:
    """self **= exponent."""
    if not isinstance(exponent, (Tensor, int, float, complex)):
        raise errors.no_operand("pow_", "exponent", exponent)
    no_fractions(self, exponent)
    row = pow_ if isinstance(exponent, Tensor) else pow_number
    return row.inplace(self, exponent)


@public("float_power")
def float_power(input: Any, exponent: Any) -> Tensor:
    """input ** exponent, computed in double precision."""

    def double(v: Any) -> Any:
        if not isinstance(v, Tensor):
            return v
        wide = "complex128" if BY_NUMPY[v._data.dtype].category == COMPLEX else "float64"
        return cast_to(v, np.dtype(wide))

    return pow_public(double(input), double(exponent))


@method("float_power_")
def float_power_(self: Tensor, exponent: Any) -> Tensor:
    """self to a power, computed in double precision, in place.

    Raises:
        RuntimeError: the tensor is not of a double precision.
    """
    if self._data.dtype not in (np.float64, np.complex128):
        raise errors.wrong_dtype(
            "float_power_(): the result has dtype torch.float64 and is written into the "
            f"base; got a base of dtype {self.dtype}"
        )
    return pow_inplace(self, exponent)
