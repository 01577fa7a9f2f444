"""Elementwise functions of one operand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend import kernels as k
from ..backend import special as s
from ..backend.base import astype
from ..backend.dtypes import BFLOAT16
from ..backend.sine import sin as sine
from ..graph.row import ELEMENTWISE, FLOAT, HOLOMORPHIC, NO_COMPLEX_GRADIENT, POINTWISE
from ..tensor.tensor import Tensor
from .choose import E, data_of, where
from .compare import isfinite
from .complex_parts import real
from .core import cast_to, conj, no_bools, zeros_of
from .op import Op, op, variant
from .registry import FUNCTIONS, expose, method, public

U = ELEMENTWISE | FLOAT | POINTWISE | HOLOMORPHIC
LN2, LN10 = math.log(2.0), math.log(10.0)
TWO_OVER_SQRT_PI = 2 / math.sqrt(math.pi)


def root_beside_one(x: Any) -> Any:
    """The root of x^2 - 1; of complex x as the product that has the branch of acosh."""
    return sqrt(x - 1) * sqrt(x + 1) if data_of(x).dtype.kind == "c" else sqrt(x * x - 1)


exp = op("exp(x)", k.exp, U, x=lambda g, out: g * out)
exp2 = op("exp2(x)", k.exp2, U, x=lambda g, out: g * out * LN2)
expm1 = op("expm1(x)", k.expm1, U, x=lambda g, out: g * (out + 1))
log = op("log(x)", k.log, U, x=lambda g, x: g / x)
log2 = op("log2(x)", k.log2, U, x=lambda g, x: g / (x * LN2))
log10 = op("log10(x)", k.log10, U, x=lambda g, x: g / (x * LN10))
log1p = op("log1p(x)", k.log1p, U, x=lambda g, x: g / (x + 1))
sqrt = op("sqrt(x)", np.sqrt, U, x=lambda g, out: g / (2 * out))
rsqrt = op("rsqrt(x)", lambda x: 1 / np.sqrt(x), U, x=lambda g, out: g * (out * out * out) * -0.5)
reciprocal = op("reciprocal(x)", lambda x: 1 / x, U, x=lambda g, out: -g * (out * out))
square = op(
    "square(x)",
    lambda x: np.square(x) if x.dtype.kind != "b" else astype(x, np.dtype("int64")),
    E | POINTWISE | HOLOMORPHIC,
    node="PowBackward0",
    x=lambda g, x: g * (2 * first_power(x)),
)


def first_power(x: Any) -> Any:
    """Itself; a tensor recorded as the power that it is, so that it can be differentiated on, down
    to zero."""
    return FUNCTIONS["pow"](x, 1) if isinstance(x, Tensor) else x


sin = op("sin(x)", sine, U, x=lambda g, x: g * cos(x))
cos: Op = op("cos(x)", np.cos, U, x=lambda g, x: g * -sin(x))
tan = op("tan(x)", k.tan, U, x=lambda g, out: g * (1 + out * out))
asin = op("asin(x)", k.arcsin, U, x=lambda g, x: g / sqrt(1 - x * x))
acos = op("acos(x)", k.arccos, U, x=lambda g, x: -g / sqrt(1 - x * x))
atan = op("atan(x)", k.arctan, U, x=lambda g, x: g / (1 + x * x))
sinh = op("sinh(x)", k.sinh, U, x=lambda g, x: g * cosh(x))
cosh: Op = op("cosh(x)", k.cosh, U, x=lambda g, x: g * sinh(x))
tanh = op("tanh(x)", k.tanh, U, x=k.in_single(lambda g, out: g * (1 - out * out)))
asinh = op("asinh(x)", np.arcsinh, U, x=k.in_single(lambda g, x: g / sqrt(x * x + 1)))
acosh = op("acosh(x)", np.arccosh, U, x=lambda g, x: g / root_beside_one(x))
atanh = op("atanh(x)", np.arctanh, U, x=lambda g, x: g / (1 - x * x))
sigmoid = op("sigmoid(x)", k.sigmoid, U, x=k.in_single(lambda g, out: g * (1 - out) * out, False))
logistic: Op = op(
    "logistic(x)",
    k.sigmoid,
    U,
    x=k.in_single(lambda g, x: g * (logistic(x) * logistic(-x))),
)
"""As sigmoid, with a slope that keeps its digits where the result rounds to one; for rules."""
erf = op("erf(x)", s.erf, U, refuses="c", x=lambda g, x: g * (TWO_OVER_SQRT_PI * exp(-(x * x))))
erfc = op("erfc(x)", s.erfc, U, refuses="c", x=lambda g, x: g * (-TWO_OVER_SQRT_PI * exp(-(x * x))))
erfinv = op(
    "erfinv(x)", s.erfinv, U, refuses="c", x=lambda g, out: g * (exp(out * out) / TWO_OVER_SQRT_PI)
)
lgamma = op("lgamma(x)", s.lgamma, U, refuses="c", x=lambda g, x: g * digamma(x))
digamma: Op = op("digamma(x)", s.digamma, U, refuses="c", x=lambda g, x: g * polygamma(x, 1))
polygamma: Op = op(
    "polygamma(x, /, n)",
    lambda x, n: (
        s.digamma(x) if n == 0 else s.zeta(n + 1, x) * ((-1) ** (n + 1) * math.factorial(n))
    ),
    FLOAT | POINTWISE,
    refuses="c",
    x=lambda g, x, n: g * polygamma(x, n + 1),
)


def _sinc(x: Any) -> Any:
    angle = x * math.pi
    return np.where(x == 0, 1, np.sin(angle) / angle)


SLOPE_OF_SINC = [
    (-1) ** k * math.pi ** (2 * k) * 2 * k / math.factorial(2 * k + 1) for k in range(1, 8)
]
"""The factors of x, x^3, x^5 and so on in the slope of sinc."""


def sinc_rule(g: Any, x: Any, out: Any) -> Any:
    """(cos(pi x) - sinc(x)) / x; near zero, where its parts cancel, its series."""
    is_near = abs(x) < 0.125
    near, far = where(is_near, x, 0), where(is_near, 1, x)
    square = near * near
    series: Any = 0.0
    for factor in reversed(SLOPE_OF_SINC):
        series = series * square + factor
    return g * where(is_near, near * series, (cos(far * math.pi) - out) / far)


sinc = op("sinc(x)", _sinc, U, x=sinc_rule)


def scaled_by(factor: float) -> Any:
    """The kernel of a conversion of angles, which are real."""

    def kernel(x: Any) -> Any:
        if x.dtype.kind == "c":
            raise errors.wrong_dtype(
                "[deg2rad, rad2deg] an angle is a real number; got complex ones"
            )
        return x * factor

    return kernel


deg2rad = op(
    "deg2rad(x)",
    scaled_by(math.pi / 180),
    U,
    node="Deg2RadBackward0",
    x=lambda g: g * (math.pi / 180),
)
rad2deg = op(
    "rad2deg(x)",
    scaled_by(180 / math.pi),
    U,
    node="Rad2DegBackward0",
    x=lambda g: g * (180 / math.pi),
)


def _abs(x: Any) -> Any:
    return np.absolute(x)


def _sign(x: Any) -> Any:
    """-1, 0 or 1; of NaN zero, and of bools themselves."""
    if x.dtype.kind == "b":
        return x.copy()
    out = np.sign(x)
    return np.where(np.isnan(x), 0, out).astype(x.dtype) if x.dtype.kind not in "iu" else out


def _sgn(x: Any) -> Any:
    if x.dtype.kind != "c":
        return _sign(x)
    size = np.absolute(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size)).astype(x.dtype)


def sgn_rule(g: Any, x: Any, out: Any) -> Any:
    """Zero where real; where complex the part of ``g`` across the direction of ``x``, over its
    length."""
    if data_of(x).dtype.kind != "c":
        return zeros_of(g)
    size = abs_(x)
    safe = where(size == 0, 1, size)
    along = real_of(g * conj(out))
    return where(size == 0, 0, (g - out * along) / safe)


def real_of(x: Any) -> Any:
    """The real part of an array or a tensor."""
    return real(x) if data_of(x).dtype.kind == "c" else x


abs_ = op("abs(x)", _abs, E | POINTWISE, refuses="b", x=lambda g, x: g * sgn(x))
sgn: Op = op("sgn(x)", _sgn, E, x=sgn_rule)
sign = op("sign(x)", _sign, E | POINTWISE, refuses="c", x=lambda g: zeros_of(g))
floor = op("floor(x)", np.floor, E | POINTWISE, refuses="bc", x=lambda g: zeros_of(g))
ceil = op("ceil(x)", np.ceil, E | POINTWISE, refuses="bc", x=lambda g: zeros_of(g))
trunc = op("trunc(x)", np.trunc, E | POINTWISE, refuses="bc", x=lambda g: zeros_of(g))
round_ = op("round(x)", np.round, E | POINTWISE, refuses="bc", x=lambda g: zeros_of(g))
frac = op("frac(x)", lambda x: x - np.trunc(x), E | POINTWISE, refuses="bic", x=lambda g: g)
nan_to_num = op(
    "nan_to_num(x, /, nan, posinf, neginf)",
    lambda x, a, b, c: np.nan_to_num(x, nan=a, posinf=b, neginf=c),
    POINTWISE | NO_COMPLEX_GRADIENT,
    x=lambda g, x: g * cast_to(isfinite(x), data_of(g).dtype),
)
threshold_backward: Op = op(
    "threshold_backward(x, y, /, th)",
    lambda g, y, th: where(y <= th, 0, g),
    x=lambda g, y, th: threshold_backward(g, y, th),
    y=lambda g: zeros_of(g),
)
"""A gradient where ``y`` exceeds a threshold. It depends on ``y``, with a derivative of zero."""

relu = op(
    "relu(x)",
    lambda x: np.maximum(x.dtype.type(0), x),
    E | POINTWISE,
    check=no_bools("relu", "the tensor itself"),
    refuses="c",
    x=lambda g, out: threshold_backward(g, out, 0),
)


# -- public ----------------------------------------------------------------------------------------

expose(
    (exp, "e to the power of each element; integers give the default floating dtype."),
    (exp2, "2 to the power of each element; integers give the default floating dtype."),
    (expm1, "exp(x) - 1, exact near zero too; integers give the default floating dtype."),
    (log, "The natural logarithm; NaN for negative real numbers, -inf for zero."),
    (log2, "The logarithm to base 2; NaN for negative real numbers, -inf for zero."),
    (log10, "The logarithm to base 10; NaN for negative real numbers, -inf for zero."),
    (log1p, "log(1 + x), exact near zero too."),
    (sqrt, "The square root; NaN for negative real numbers."),
    (rsqrt, "1 / sqrt(x); NaN for negative real numbers, inf for zero."),
    (reciprocal, "1 / x; integers give the default floating dtype."),
    (square, "x * x, in the tensor's dtype."),
    (sin, "The sine of each element, in radians."),
    (cos, "The cosine of each element, in radians."),
    (tan, "The tangent of each element, in radians."),
    (asin, "The angle, in radians, whose sine is x; NaN for real numbers outside [-1, 1]."),
    (acos, "The angle, in radians, whose cosine is x; NaN for real numbers outside [-1, 1]."),
    (atan, "The angle, in radians, whose tangent is x."),
    (sinh, "The hyperbolic sine of each element."),
    (cosh, "The hyperbolic cosine of each element."),
    (tanh, "The hyperbolic tangent of each element."),
    (asinh, "The number whose hyperbolic sine is x."),
    (acosh, "The number whose hyperbolic cosine is x; NaN for real numbers below 1."),
    (atanh, "The number whose hyperbolic tangent is x; NaN for real numbers outside [-1, 1]."),
    (sigmoid, "1 / (1 + exp(-x))."),
    (erf, "The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x."),
    (erfc, "1 - erf(x), exact for large x too."),
    (erfinv, "The number whose error function is x; infinite at -1 and 1, NaN outside."),
    (lgamma, "The logarithm of the absolute value of the gamma function."),
    (digamma, "The derivative of the logarithm of the gamma function."),
    (deg2rad, "Degrees as radians: x * pi / 180."),
    (rad2deg, "Radians as degrees: x * 180 / pi."),
    (sinc, "sin(pi x) / (pi x), and 1 at zero."),
    (abs_, "The absolute value; of complex numbers a real tensor. Its gradient at zero is zero."),
    (sgn, "The sign; of complex numbers x / |x|, zero at zero."),
    (sign, "-1, 0 or 1, as the element is negative, zero or positive. Raises for complex dtypes."),
    (floor, "The largest whole number that is not above x, in the same dtype. Gradient zero."),
    (ceil, "The smallest whole number that is not below x, in the same dtype. Gradient zero."),
    (trunc, "x without its fractional part, in the same dtype. Gradient zero."),
    (frac, "The fractional part, x - trunc(x), with the sign of x."),
    (relu, "x where it is positive, else zero. The gradient at zero is zero."),
    absolute=abs_,
    arcsin=asin,
    arccos=acos,
    arctan=atan,
    arcsinh=asinh,
    arccosh=acosh,
    arctanh=atanh,
    fix=trunc,
)


def _round_at(x: Any, decimals: int) -> Any:
    scale = x.dtype.type(10.0 ** abs(decimals))
    return np.round(x * scale) / scale if decimals > 0 else np.round(x / scale) * scale


round_at = op(
    "round(x, /, decimals)",
    _round_at,
    POINTWISE,
    node="RoundBackward1",
    refuses="bic",
    x=lambda g: zeros_of(g),
)


round_at_zero = variant(round_, "RoundBackward1")


@public("round")
def round_public(input: Tensor, *, decimals: int | None = None) -> Tensor:
    """Round to a number of decimals, halves to even."""
    if decimals:
        return round_at.apply(input, decimals)
    return (round_ if decimals is None else round_at_zero).apply(input)


@method("round_")
def round_in_place(self: Tensor, *, decimals: int = 0) -> Tensor:
    """Round to a number of decimals, in place."""
    return round_at.inplace(self, decimals) if decimals else round_.inplace(self)


@method("abs_", "absolute_")
def abs_in_place(self: Tensor) -> Tensor:
    """Absolute values, in place.

    Raises:
        RuntimeError: complex numbers, whose absolute values are real.
    """
    if self._data.dtype.kind == "c":
        raise errors.wrong_dtype(
            "abs_(): In-place abs is not supported for complex tensors; use abs()"
        )
    return abs_.inplace(self)


FUNCTIONS["abs_"] = abs_in_place


@public("nan_to_num")
def nan_to_num_public(
    input: Tensor, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Tensor:
    """NaN and infinities replaced by numbers."""
    return nan_to_num.apply(input, nan, *limits(input, posinf, neginf))


def limits(x: Tensor, posinf: Any, neginf: Any) -> tuple[Any, Any]:
    """What replaces infinities: in bfloat16, whose arrays hold float32, the largest numbers of bfloat16."""
    if x._data.dtype is not BFLOAT16:
        return posinf, neginf
    return (
        LARGEST_BFLOAT16 if posinf is None else posinf,
        -LARGEST_BFLOAT16 if neginf is None else neginf,
    )


LARGEST_BFLOAT16 = (2 - 2.0**-7) * 2.0**127


@method("nan_to_num_")
def nan_to_num_in_place(
    self: Tensor, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Tensor:
    """NaN and infinities replaced by numbers. In place."""
    return nan_to_num.inplace(self, nan, *limits(self, posinf, neginf))


@public("polygamma")
def polygamma_public(n: Any, input: Any) -> Tensor:
    """The n-th derivative of digamma."""
    if isinstance(n, Tensor):
        n, input = input, n
    if n < 0:
        raise errors.wrong_value(
            f"polygamma(): the order must not be negative; got {n}", RuntimeError
        )
    return polygamma.apply(input, n)


polygamma_row_in_place = variant(polygamma, "PolygammaBackward1")


@method("polygamma_")
def polygamma_in_place(self: Tensor, n: int) -> Tensor:
    """The n-th derivative of digamma. In place."""
    return polygamma_row_in_place.inplace(self, n)
