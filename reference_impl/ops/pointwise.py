"""Elementwise functions of one, two or three operands."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..backend import kernels as k
from ..dtypes import BY_NUMPY, COMPLEX
from ..op import ELEMENTWISE, FLOAT, HOLOMORPHIC, POINTWISE, op
from ..tensor import Tensor, wrap
from .core import cast_to, conj, div, mul, zeros_of
from .registry import FUNCTIONS, METHODS, expose, function, method, public

E = ELEMENTWISE
U = ELEMENTWISE | FLOAT | POINTWISE | HOLOMORPHIC
LN2, LN10 = math.log(2.0), math.log(10.0)
TWO_OVER_SQRT_PI = 2 / math.sqrt(math.pi)


def quiet(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose infinities and NaNs are results, not warnings."""

    def run(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return kernel(*args)

    return run


# -- one operand -----------------------------------------------------------------------------------

exp = op("exp(x)", quiet(np.exp), U, x=lambda g, out: g * out)
exp2 = op("exp2(x)", quiet(np.exp2), U, x=lambda g, out: g * out * LN2)
expm1 = op("expm1(x)", quiet(np.expm1), U, x=lambda g, out: g * (out + 1))
log = op("log(x)", quiet(np.log), U, x=lambda g, x: g / x)
log2 = op("log2(x)", quiet(np.log2), U, x=lambda g, x: g / (x * LN2))
log10 = op("log10(x)", quiet(np.log10), U, x=lambda g, x: g / (x * LN10))
log1p = op("log1p(x)", quiet(np.log1p), U, x=lambda g, x: g / (x + 1))
sqrt = op("sqrt(x)", quiet(np.sqrt), U, x=lambda g, out: g / (2 * out))
rsqrt = op(
    "rsqrt(x)", quiet(lambda x: 1 / np.sqrt(x)), U, x=lambda g, out: g * (out * out * out) * -0.5
)
reciprocal = op("reciprocal(x)", quiet(lambda x: 1 / x), U, x=lambda g, out: -g * (out * out))
square = op(
    "square(x)",
    np.square,
    E | POINTWISE | HOLOMORPHIC,
    node="PowBackward0",
    x=lambda g, x: g * (2 * x),
)
sin = op("sin(x)", np.sin, U, x=lambda g, x: g * cos(x))
cos = op("cos(x)", np.cos, U, x=lambda g, x: g * -sin(x))
tan = op("tan(x)", quiet(np.tan), U, x=lambda g, out: g * (1 + out * out))
asin = op("asin(x)", quiet(np.arcsin), U, x=lambda g, x: g / sqrt(1 - x * x))
acos = op("acos(x)", quiet(np.arccos), U, x=lambda g, x: -g / sqrt(1 - x * x))
atan = op("atan(x)", np.arctan, U, x=lambda g, x: g / (1 + x * x))
sinh = op("sinh(x)", quiet(np.sinh), U, x=lambda g, x: g * cosh(x))
cosh = op("cosh(x)", quiet(np.cosh), U, x=lambda g, x: g * sinh(x))
tanh = op("tanh(x)", np.tanh, U, x=lambda g, out: g * (1 - out * out))
asinh = op("asinh(x)", np.arcsinh, U, x=lambda g, x: g / sqrt(x * x + 1))
acosh = op("acosh(x)", quiet(np.arccosh), U, x=lambda g, x: g / sqrt(x * x - 1))
atanh = op("atanh(x)", quiet(np.arctanh), U, x=lambda g, x: g / (1 - x * x))
sigmoid = op("sigmoid(x)", k.sigmoid, U, x=lambda g, out: g * (out * (1 - out)))
erf = op("erf(x)", k.erf, U, x=lambda g, x: g * (TWO_OVER_SQRT_PI * exp(-(x * x))))
erfc = op("erfc(x)", k.erfc, U, x=lambda g, x: g * (-TWO_OVER_SQRT_PI * exp(-(x * x))))
erfinv = op("erfinv(x)", k.erfinv, U, x=lambda g, out: g * (exp(out * out) / TWO_OVER_SQRT_PI))
lgamma = op("lgamma(x)", k.lgamma, U, x=lambda g, x: g * digamma(x))
digamma = op("digamma(x)", k.digamma, U, x=lambda g, x: g * polygamma(x, 1))
polygamma = op(
    "polygamma(x, /, n)",
    lambda x, n: k.digamma(x) if n == 0 else k.polygamma(n, x),
    FLOAT | POINTWISE,
    x=lambda g, x, n: g * polygamma(x, n + 1),
)
deg2rad = op("deg2rad(x)", np.deg2rad, U, x=lambda g: g * (math.pi / 180), node="MulBackward0")
rad2deg = op("rad2deg(x)", np.rad2deg, U, x=lambda g: g * (180 / math.pi), node="MulBackward0")


def _abs(x: Any) -> Any:
    return np.absolute(x)


def _sgn(x: Any) -> Any:
    if x.dtype.kind != "c":
        return np.sign(x)
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


def data_of(x: Any) -> Any:
    """The array of an array or a tensor."""
    return x._data if isinstance(x, Tensor) else x


def real_of(x: Any) -> Any:
    """The real part of an array or a tensor."""
    from .shape import real

    return real(x) if data_of(x).dtype.kind == "c" else x


abs_ = op("abs(x)", _abs, E | POINTWISE, x=lambda g, x: g * sgn(x))
sgn = op("sgn(x)", quiet(_sgn), E, x=sgn_rule)
sign = op("sign(x)", np.sign, E | POINTWISE, x=lambda g: zeros_of(g))
floor = op("floor(x)", np.floor, E | POINTWISE, x=lambda g: zeros_of(g))
ceil = op("ceil(x)", np.ceil, E | POINTWISE, x=lambda g: zeros_of(g))
trunc = op("trunc(x)", np.trunc, E | POINTWISE, x=lambda g: zeros_of(g))
round_ = op("round(x)", np.round, E | POINTWISE, x=lambda g: zeros_of(g))
frac = op("frac(x)", lambda x: x - np.trunc(x), E | POINTWISE, x=lambda g: g)
nan_to_num = op(
    "nan_to_num(x, /, nan, posinf, neginf)",
    lambda x, a, b, c: np.nan_to_num(x, nan=a, posinf=b, neginf=c),
    POINTWISE,
    x=lambda g, x: g * cast_to(isfinite(x), data_of(g).dtype),
)
relu = op(
    "relu(x)",
    lambda x: np.maximum(x, np.zeros((), x.dtype)),
    E | POINTWISE,
    x=lambda g, out: g * cast_to(out > 0, data_of(g).dtype),
)


def _clamp(x: Any, low: Any, high: Any) -> Any:
    if low is not None:
        x = np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


def clamp_rule(g: Any, x: Any, low: Any, high: Any) -> Any:
    """The gradient where ``x`` is within the bounds or on one."""
    inside = True
    if low is not None:
        inside = x >= low
    if high is not None:
        inside = (x <= high) if inside is True else inside & (x <= high)
    return g * cast_to(inside, data_of(g).dtype)


clamp_numbers = op("clamp(x, /, low, high)", _clamp, POINTWISE, node="ClampBackward1", x=clamp_rule)

# -- predicates and comparisons (no rules) ---------------------------------------------------------

isfinite = op("isfinite(x)", np.isfinite, E)
isnan = op("isnan(x)", np.isnan, E)
isinf = op("isinf(x)", np.isinf, E)
logical_not = op("logical_not(x)", np.logical_not, E)
bitwise_not = op("bitwise_not(x)", np.invert, E)
eq = op("eq(x, y)", np.equal, E)
ne = op("ne(x, y)", np.not_equal, E)


def ordered(kernel: Any) -> Any:
    """A comparison that refuses complex operands."""

    def run(x: Any, y: Any) -> Any:
        if x.dtype.kind == "c":
            raise NotImplementedError(
                f"[{kernel.__name__}] complex numbers have no order; compare their absolute values"
            )
        return kernel(x, y)

    return run


lt = op("lt(x, y)", ordered(np.less), E)
le = op("le(x, y)", ordered(np.less_equal), E)
gt = op("gt(x, y)", ordered(np.greater), E)
ge = op("ge(x, y)", ordered(np.greater_equal), E)
logical_and = op("logical_and(x, y)", np.logical_and, E)
logical_or = op("logical_or(x, y)", np.logical_or, E)
logical_xor = op("logical_xor(x, y)", np.logical_xor, E)
bitwise_and = op("bitwise_and(x, y)", np.bitwise_and, E)
bitwise_or = op("bitwise_or(x, y)", np.bitwise_or, E)
bitwise_xor = op("bitwise_xor(x, y)", np.bitwise_xor, E)

# -- two operands ----------------------------------------------------------------------------------


def pow_base(g: Any, x: Any, y: Any) -> Any:
    """d(x**y)/dx, zero where the exponent is zero."""
    return where(y == 0, 0, g * (y * pow_(x, where(y == 0, 1, y - 1))))


def pow_exponent(g: Any, x: Any, y: Any, out: Any) -> Any:
    """d(x**y)/dy, zero where the base is zero and the exponent is not negative."""
    null = (x == 0) & (y >= 0) if data_of(y).dtype.kind != "c" else x == 0
    return where(null, 0, g * (out * log(where(null, 1, x))))


pow_ = op(
    "pow(x, y)", quiet(np.power), E | HOLOMORPHIC, node="PowBackward1", x=pow_base, y=pow_exponent
)


def pow_number_rule(g: Any, x: Any, n: Any) -> Any:
    """d(x**n)/dx for a number n."""
    return (
        zeros_of(g)
        if n == 0
        else g
        if n == 1
        else g * (2 * x if n == 2 else n * pow_number(x, n - 1))
    )


pow_number = op(
    "pow(x, /, n)",
    quiet(lambda x, n: np.square(x) if n == 2 else np.power(x, n)),
    POINTWISE | HOLOMORPHIC,
    x=pow_number_rule,
)
number_pow = op(
    "pow(x, /, base)",
    quiet(lambda x, base: np.power(as_dtype(base, x), x)),
    POINTWISE | HOLOMORPHIC,
    node="PowBackward2",
    x=lambda g, out, base: g * out * math.log(base) if base else zeros_of(g),
)


def as_dtype(value: Any, x: Any) -> Any:
    """A number as an array scalar of the dtype of ``x``."""
    return np.asarray(value, dtype=x.dtype)


def shared(g: Any, mine: Any, tie: Any) -> Any:
    """``g`` where ``mine`` holds, half of it at a tie."""
    return where(tie, g / 2, where(mine, g, 0))


maximum = op(
    "maximum(x, y)",
    np.maximum,
    E,
    x=lambda g, x, y: shared(g, x > y, x == y),
    y=lambda g, x, y: shared(g, y > x, x == y),
)
minimum = op(
    "minimum(x, y)",
    np.minimum,
    E,
    x=lambda g, x, y: shared(g, x < y, x == y),
    y=lambda g, x, y: shared(g, y < x, x == y),
)
fmax = op(
    "fmax(x, y)",
    np.fmax,
    E,
    x=lambda g, x, y: where((x >= y) | isnan(y), g, 0),
    y=lambda g, x, y: where((x >= y) | isnan(y), 0, g),
)
fmin = op(
    "fmin(x, y)",
    np.fmin,
    E,
    x=lambda g, x, y: where((x <= y) | isnan(y), g, 0),
    y=lambda g, x, y: where((x <= y) | isnan(y), 0, g),
)


def atan2_scale(g: Any, x: Any, y: Any) -> Any:
    """g / (x^2 + y^2), zero at the origin."""
    r = x * x + y * y
    return where(r == 0, 0, g / where(r == 0, 1, r))


atan2 = op(
    "atan2(x, y)",
    np.arctan2,
    E | FLOAT,
    x=lambda g, x, y: atan2_scale(g, x, y) * y,
    y=lambda g, x, y: atan2_scale(g, x, y) * -x,
)
hypot = op(
    "hypot(x, y)", np.hypot, E, x=lambda g, x, out: g * (x / out), y=lambda g, y, out: g * (y / out)
)
logaddexp = op(
    "logaddexp(x, y)",
    np.logaddexp,
    E,
    x=lambda g, x, y: g * sigmoid(x - y),
    y=lambda g, x, y: g * sigmoid(y - x),
)
logaddexp2 = op(
    "logaddexp2(x, y)",
    np.logaddexp2,
    E,
    x=lambda g, x, y: g * sigmoid((x - y) * LN2),
    y=lambda g, x, y: g * sigmoid((y - x) * LN2),
)
xlogy = op(
    "xlogy(x, y)",
    quiet(lambda x, y: np.where(x == 0, np.where(np.isnan(y), y, 0), x * np.log(y))),
    E | FLOAT,
    x=lambda g, x, y: where((x == 0) & (y <= 0), 0, g * log(y)),
    y=lambda g, x, y: g * (x / y),
)
copysign = op(
    "copysign(x, y)",
    np.copysign,
    E | FLOAT,
    x=lambda g, x, out: where(x == 0, 0, g * sign(x) * sign(out)),
    y=lambda g: zeros_of(g),
)
fmod = op("fmod(x, y)", quiet(np.fmod), E, x=lambda g: g, y=lambda g, x, y: -g * trunc(x / y))
remainder = op(
    "remainder(x, y)", quiet(np.remainder), E, x=lambda g: g, y=lambda g, x, y: -g * floor(x / y)
)
div_floor = op(
    "div(x, y)", quiet(np.floor_divide), E, x=lambda g: zeros_of(g), y=lambda g: zeros_of(g)
)
div_trunc = op(
    "div(x, y)",
    quiet(lambda x, y: np.trunc(x / y).astype(x.dtype)),
    E,
    x=lambda g: zeros_of(g),
    y=lambda g: zeros_of(g),
)


def no_derivative(name: str) -> Callable[[Any], Any]:
    """The rule of an operation that has none: refuses when backward reaches it."""

    def rule(g: Any) -> Any:
        from ..errors import no_derivative as refusal

        raise refusal(name)

    return rule


floor_divide = op(
    "floor_divide(x, y)",
    quiet(np.floor_divide),
    E,
    node="NotImplemented",
    x=no_derivative("floor_divide"),
    y=no_derivative("floor_divide"),
)
heaviside = op(
    "heaviside(x, y)",
    np.heaviside,
    E,
    node="NotImplemented",
    x=no_derivative("heaviside"),
    y=no_derivative("heaviside"),
)
nextafter = op("nextafter(x, y)", np.nextafter, E, x=lambda g: g, y=lambda g: zeros_of(g))

# -- three operands --------------------------------------------------------------------------------


where_row = op(
    "where(x, y, /, condition)",
    lambda x, y, c: np.where(c, x, y),
    E,
    x=lambda g, condition: where(condition, g, 0),
    y=lambda g, condition: where(condition, 0, g),
)


def where(condition: Any, x: Any, y: Any) -> Any:
    """Elements of ``x`` where the condition holds, else of ``y``; arrays, tensors or numbers."""
    if isinstance(x, Tensor) or isinstance(y, Tensor) or isinstance(condition, Tensor):
        c = condition._data if isinstance(condition, Tensor) else condition
        if isinstance(x, (int, float)) and isinstance(y, Tensor):
            x = wrap(np.asarray(x, y._data.dtype))
        elif isinstance(y, (int, float)) and isinstance(x, Tensor):
            y = wrap(np.asarray(y, x._data.dtype))
        return where_row.apply(x, y, c)
    out = np.where(condition, x, y)
    like = x if hasattr(x, "dtype") else y
    return out if not hasattr(like, "dtype") or out.dtype == like.dtype else out.astype(like.dtype)


lerp = op(
    "lerp(x, y, w)",
    lambda x, y, w: x + w * (y - x),
    E,
    x=lambda g, w: g * (1 - w),
    y=lambda g, w: g * w,
    w=lambda g, x, y: g * (y - x),
)
addcmul_row = op(
    "addcmul(x, y, z, /, value)",
    lambda x, y, z, value: x + value * (y * z),
    E,
    x=lambda g: g,
    y=lambda g, z, value: g * (z * value),
    z=lambda g, y, value: g * (y * value),
)
addcdiv_row = op(
    "addcdiv(x, y, z, /, value)",
    quiet(lambda x, y, z, value: x + value * (y / z)),
    E,
    x=lambda g: g,
    y=lambda g, z, value: g * (value / z),
    z=lambda g, y, z, value: -g * (value * (y / (z * z))),
)
clamp_tensors = op(
    "clamp(x, y, z)",
    lambda x, y, z: np.minimum(np.maximum(x, y), z),
    E,
    x=lambda g, x, y, z: where((x >= y) & (x <= z), g, 0),
    y=lambda g, x, y, z: where((x < y) & (y < z), g, 0),
    z=lambda g, x, y, z: where((x > z) | (y >= z), where((x == z) & (y < z), 0, g), 0),
)


# -- public ----------------------------------------------------------------------------------------

expose(
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sqrt,
    rsqrt,
    reciprocal,
    square,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    asinh,
    acosh,
    atanh,
    sigmoid,
    erf,
    erfc,
    erfinv,
    lgamma,
    digamma,
    deg2rad,
    rad2deg,
    abs_,
    sgn,
    sign,
    floor,
    ceil,
    trunc,
    frac,
    relu,
    logical_not,
    bitwise_not,
    atan2,
    hypot,
    logaddexp,
    logaddexp2,
    xlogy,
    copysign,
    fmod,
    remainder,
    floor_divide,
    heaviside,
    nextafter,
    maximum,
    minimum,
    fmax,
    fmin,
    absolute=abs_,
    arcsin=asin,
    arccos=acos,
    arctan=atan,
    arcsinh=asinh,
    arccosh=acosh,
    arctanh=atanh,
    arctan2=atan2,
    fix=trunc,
    eq=eq,
    ne=ne,
    lt=lt,
    le=le,
    gt=gt,
    ge=ge,
    greater=gt,
    less=lt,
    greater_equal=ge,
    less_equal=le,
    not_equal=ne,
    logical_and=logical_and,
    logical_or=logical_or,
    logical_xor=logical_xor,
    bitwise_and=bitwise_and,
    bitwise_or=bitwise_or,
    bitwise_xor=bitwise_xor,
)
expose(isfinite, isnan, isinf, inplace=False)


@public("round")
def round_public(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Round to the nearest integer, halves to even."""
    if decimals:
        scale = 10.0**decimals
        return div.apply(round_.apply(mul.apply(input, scale)), scale)  # type: ignore[no-any-return]
    return round_.apply(input)  # type: ignore[no-any-return]


METHODS["round_"] = round_.inplace


@public("div", "divide", "true_divide")
def div_public(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """input / other; with a rounding mode "floor" or "trunc", rounded, and then the gradient is
    zero."""
    rows = {None: div, "floor": div_floor, "trunc": div_trunc}
    if rounding_mode not in rows:
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    return rows[rounding_mode].apply(input, other)  # type: ignore[no-any-return]


@method("div_", "divide_")
def div_(self: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """self /= other."""
    rows = {None: div, "floor": div_floor, "trunc": div_trunc}
    return rows[rounding_mode].inplace(self, other)  # type: ignore[no-any-return]


@public("pow")
def pow_public(input: Any, exponent: Any) -> Tensor:
    """input ** exponent, either of which may be a number."""
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            return pow_.apply(input, exponent)  # type: ignore[no-any-return]
        return number_pow.apply(promote_for(exponent, input), input)  # type: ignore[no-any-return]
    if not isinstance(exponent, (int, float, complex)):
        raise TypeError(
            f"pow(): argument 'exponent' must be Tensor or Number, not {type(exponent).__name__}"
        )
    if input._data.dtype.kind in "iu" and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError(
            "[pow] integers to negative integer powers are not allowed; convert to float"
        )
    return pow_number.apply(promote_for(input, exponent), exponent)  # type: ignore[no-any-return]


def promote_for(x: Tensor, value: Any) -> Tensor:
    """``x`` in the dtype that combining it with a number gives."""
    from ..dtypes import result_type

    return cast_to(x, result_type(x._data, value))  # type: ignore[no-any-return]


@method("pow_")
def pow_inplace(self: Tensor, exponent: Any) -> Tensor:
    """self **= exponent."""
    row = pow_ if isinstance(exponent, Tensor) else pow_number
    return row.inplace(self, exponent)  # type: ignore[no-any-return]


@public("float_power")
def float_power(input: Any, exponent: Any) -> Tensor:
    """input ** exponent, computed in double precision."""

    def double(v: Any) -> Any:
        if not isinstance(v, Tensor):
            return v
        wide = "complex128" if BY_NUMPY[v._data.dtype].category == COMPLEX else "float64"
        return cast_to(v, np.dtype(wide))

    return pow_public(double(input), double(exponent))


def clamp_any(row_numbers: Any, row_tensors: Any, x: Tensor, low: Any, high: Any) -> Tensor:
    """clamp with numbers or tensors as bounds."""
    if low is None and high is None:
        raise RuntimeError("[clamp] at least one of 'min' or 'max' must not be None")
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        inf = wrap(np.asarray(np.inf, x._data.dtype))
        return row_tensors(x, -inf if low is None else low, inf if high is None else high)  # type: ignore[no-any-return]
    return row_numbers(x, low, high)  # type: ignore[no-any-return]


@public("clamp", "clip")
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit to [min, max]; the gradient is 1 within and on the bounds."""
    return clamp_any(clamp_numbers.apply, clamp_tensors.apply, input, min, max)


@method("clamp_", "clip_")
def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit to [min, max] in place."""
    return clamp_any(clamp_numbers.inplace, clamp_tensors.inplace, self, min, max)


@public("clamp_min")
def clamp_min(input: Tensor, min: Any) -> Tensor:
    """Limit from below."""
    return clamp(input, min)


@public("clamp_max")
def clamp_max(input: Tensor, max: Any) -> Tensor:
    """Limit from above."""
    return clamp(input, None, max)


@public("nan_to_num")
def nan_to_num_public(
    input: Tensor, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Tensor:
    """NaN and infinities replaced by numbers."""
    return nan_to_num.apply(input, nan, posinf, neginf)  # type: ignore[no-any-return]


@public("logit")
def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """log(x / (1 - x)), of x limited to [eps, 1 - eps]."""
    return logit_row.apply(input if eps is None else clamp(input, eps, 1 - eps))  # type: ignore[no-any-return]


logit_row = op(
    "logit(x)", quiet(lambda x: np.log(x / (1 - x))), U, x=lambda g, x: g / (x * (1 - x))
)


@function("where")
def where_public(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Elements of input where the condition holds, else of other; alone, the indices where it
    holds."""
    if input is None and other is None:
        return tuple(wrap(i) for i in np.nonzero(condition._data))
    return where_row.apply(input, other, condition._data)


@method("where")
def where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    """Elements of self where the condition holds, else of other."""
    return where_row.apply(self, other, condition._data)


@public("lerp")
def lerp_public(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """input + weight * (end - input)."""
    return lerp.apply(input, end, weight)  # type: ignore[no-any-return]


METHODS["lerp_"] = lerp.inplace


@public("addcmul")
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """input + value * tensor1 * tensor2."""
    return addcmul_row.apply(input, tensor1, tensor2, value)  # type: ignore[no-any-return]


@method("addcmul_")
def addcmul_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """self += value * tensor1 * tensor2."""
    return addcmul_row.inplace(self, tensor1, tensor2, value)  # type: ignore[no-any-return]


@public("addcdiv")
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """input + value * tensor1 / tensor2."""
    return addcdiv_row.apply(input, tensor1, tensor2, value)  # type: ignore[no-any-return]


@method("addcdiv_")
def addcdiv_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """self += value * tensor1 / tensor2."""
    return addcdiv_row.inplace(self, tensor1, tensor2, value)  # type: ignore[no-any-return]


@public("polygamma")
def polygamma_public(n: Any, input: Any) -> Tensor:
    """The n-th derivative of digamma."""
    if isinstance(n, Tensor):
        n, input = input, n
    return polygamma.apply(input, n)  # type: ignore[no-any-return]


@public("sinc")
def sinc(input: Tensor) -> Tensor:
    """sin(pi x) / (pi x), 1 at 0."""
    null = input._data == 0
    x = where(wrap(null), 1.0, input) * math.pi
    return where(wrap(null), 1.0, sin.apply(x) / x)  # type: ignore[no-any-return]


FUNCTIONS["special_expit"] = sigmoid.apply
