"""Special functions: gamma, Bessel and the normal distribution."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from .. import errors
from ..backend import special as k
from ..backend.dtypes import BFLOAT16, BY_NUMPY
from ..errors import unsupported_dtype
from ..graph.row import ELEMENTWISE, FLOAT, POINTWISE
from ..tensor.tensor import Tensor
from .binary import beside_zero, no_derivative, xlogy
from .choose import data_of, where
from .complex_parts import complex_of
from .core import copy_, zeros_of
from .fused import fused
from .op import Op, op
from .pointwise import abs_, digamma, exp, exp2, lgamma, log, log1p, round_at, sgn
from .registry import FUNCTIONS, METHODS, SPECIAL, described, expose, front, method, public

__all__ = ["angle", "entr", "erfcx", "i0", "i0e", "i1", "log_ndtr", "ndtr", "ndtri", "xlog1py"]

P = ELEMENTWISE | FLOAT | POINTWISE
ROOT_2_PI = math.sqrt(2 * math.pi)


SLOPE_OF_I1 = [
    (2 * k + 1) / (2 ** (2 * k + 1) * math.factorial(k) * math.factorial(k + 1)) for k in range(10)
]
"""The factors of 1, x^2, x^4 and so on in the slope of i1."""


def i1_slope(x: Any, zeroth: Any, first: Any, scale: Any = 1) -> Any:
    """scale i0(x) - scale i1(x) / x, of `zeroth` and `first`, which are i0 and i1 times the scale; near
    zero, where its parts cancel in its own derivative, its series."""
    is_near = abs_(x) < 1
    far = zeroth(x) - first(x) / where(is_near, 1, x)
    return where(is_near, scale * i1_series(where(is_near, x, 0)), far)


def i1_series(x: Any) -> Any:
    square, series = x * x, 0.0
    for factor in reversed(SLOPE_OF_I1):
        series = series * square + factor
    return series


i0: Op = op("i0(x)", k.i0, P, refuses="c", x=lambda g, x: g * i1(x))
i0e: Op = op("special_i0e(x)", k.i0e, P, x=lambda g, x, out: g * (i1e(x) - sgn(x) * out))
i1: Op = op("special_i1(x)", k.i1, P, refuses="c", x=lambda g, x: g * i1_slope(x, i0, i1))
i1e: Op = op(
    "special_i1e(x)",
    k.i1e,
    P,
    x=lambda g, x, out: g * (i1_slope(x, i0e, i1e, exp(-abs_(x))) - sgn(x) * out),
)


def in_full_precision(kernel: Any) -> Any:
    """A kernel that is not there for half precision."""

    def run(*args: Any) -> Any:
        if args[-1].dtype in (BFLOAT16, np.float16):
            raise unsupported_dtype(kernel.__name__, BY_NUMPY[args[-1].dtype])
        return kernel(*args)

    return run


erfcx: Op = op(
    "special_erfcx(x)",
    in_full_precision(k.erfcx),
    P,
    refuses="c",
    x=lambda g, x, out: g * (2 * (x * out) - 2 / math.sqrt(math.pi)),
)
ndtr: Op = op(
    "special_ndtr(x)",
    k.ndtr,
    P,
    refuses="c",
    node="MulBackward1",
    x=lambda g, x: g * (exp(-0.5 * (x * x)) / ROOT_2_PI),
)
log_ndtr: Op = op(
    "special_log_ndtr(x)",
    in_full_precision(k.log_ndtr),
    P,
    refuses="c",
    x=lambda g, x: g * (math.sqrt(2 / math.pi) / erfcx(x * -math.sqrt(0.5))),
)
ndtri: Op = op(
    "special_ndtri(x)",
    in_full_precision(k.ndtri),
    P,
    refuses="c",
    x=lambda g, out: g * (ROOT_2_PI * exp(0.5 * (out * out))),
)
entr: Op = op("special_entr(x)", k.entr, P, refuses="c", x=lambda g, x: g * (-log(x) - 1))
xlog1py: Op = op(
    "special_xlog1py(x, y)",
    k.xlog1py,
    ELEMENTWISE | FLOAT,
    refuses="c",
    x=beside_zero(log1p, -1),
    y=lambda g, x, y: g * (x / (y + 1)),
)


def gamma_density(x: Any, y: Any) -> Any:
    """y ** (x - 1) exp(-y) / gamma(x), the slope of the incomplete gamma function."""
    return exp(xlogy(x - 1, y) - y - lgamma(x))


gammainc: Op = op(
    "special_gammainc(x, y)",
    k.gammainc,
    ELEMENTWISE,
    refuses="bic",
    node="IgammaBackward0",
    x=no_derivative("igamma", NotImplementedError),
    y=lambda g, x, y: g * gamma_density(x, y),
)
gammaincc: Op = op(
    "special_gammaincc(x, y)",
    k.gammaincc,
    ELEMENTWISE,
    refuses="bic",
    node="IgammacBackward0",
    x=no_derivative("igammac", NotImplementedError),
    y=lambda g, x, y: -g * gamma_density(x, y),
)
mvlgamma_row: Op = op(
    "mvlgamma(x, /, p)",
    k.mvlgamma,
    FLOAT | POINTWISE,
    refuses="c",
    x=lambda g, x, p: g * sum(digamma(x - j / 2) for j in range(p)),
)


def angle_rule(g: Any, x: Any) -> Any:
    """Zero where real; where complex i x over the square of its length, zero at zero."""
    if data_of(x).dtype.kind != "c":
        return zeros_of(g)
    size = abs_(x)
    safe = where(size == 0, 1, size)
    return complex_of(None, where(size == 0, 0, g / (safe * safe))) * x


angle = op("angle(x)", k.angle, FLOAT, x=angle_rule)


@public("mvlgamma")
def mvlgamma(input: Tensor, p: int) -> Tensor:
    """The logarithm of the multivariate gamma function, for elements above (p - 1) / 2.

    Raises:
        RuntimeError: bools, or a dimension below one.
    """
    if input._data.dtype.kind == "b":
        raise errors.wrong_dtype("mvlgamma(): not supported for bool tensors; convert them first")
    if p < 1:
        raise errors.wrong_value(f"mvlgamma(): p has to be at least 1; got {p}", RuntimeError)
    return mvlgamma_row.apply(input, p)


def ldexp(input: Tensor, other: Tensor) -> Tensor:
    """input times 2 ** other."""
    return input * exp2.apply(other)


public("ldexp")(fused("ldexp", ldexp))


def written_back(name: str) -> None:
    """The twin in place of a function that is made of others: the result for a copy of the operand,
    since its rules may need the values that are overwritten, is written back."""
    fn = FUNCTIONS[name]

    def run(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return copy_(self, fn(self.clone(), *args, **kwargs))

    run.__doc__ = f"{(fn.__doc__ or '').partition(chr(10))[0]} In place."
    run.__signature__ = inspect.signature(METHODS[name])  # type: ignore[attr-defined]
    method(f"{name}_")(run)


for composed in ("ldexp", "mvlgamma"):
    written_back(composed)

SPECIAL_ROWS = (
    (i0, "The modified Bessel function of the first kind of order 0."),
    (i0e, "exp(-|x|) times the modified Bessel function of the first kind of order 0."),
    (i1, "The modified Bessel function of the first kind of order 1."),
    (i1e, "exp(-|x|) times the modified Bessel function of the first kind of order 1."),
    (erfcx, "exp(x * x) * erfc(x), without overflow for large x."),
    (ndtr, "The distribution function of the standard normal distribution."),
    (log_ndtr, "The logarithm of ndtr, exact for very negative x too."),
    (ndtri, "The number whose ndtr is x; infinite at 0 and 1, NaN outside."),
    (entr, "-x * log(x); 0 at zero, and -inf for negative numbers."),
    (xlog1py, "input * log1p(other), and zero where input is zero (unless other is NaN)."),
    (gammainc, "The regularized lower incomplete gamma function of input, at other."),
    (gammaincc, "The regularized upper incomplete gamma function of input, at other."),
)


def special_front(row: Any, doc: str) -> Any:
    """A row as a function of ``torch.special``."""
    name = row.row.name.removeprefix("special_")
    made = front(f"special_{name}", row.apply, row.row.n_operands)
    return described(made, f"torch.special.{name}", doc)


def special_round(input: Any, *, decimals: int = 0) -> Tensor:
    """Rounded to a number of decimals, halves to even."""
    return round_at.apply(input, decimals)


expose(
    (i0, "The modified Bessel function of the first kind of order 0."),
)
expose(
    (angle, "The argument of complex numbers, in radians; of real ones 0, or pi where negative."),
    inplace=False,
)
SPECIAL.update(
    {row.row.name.removeprefix("special_"): special_front(row, doc) for row, doc in SPECIAL_ROWS}
)
SPECIAL.update(
    {
        name: FUNCTIONS[name]
        for name in ("digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "log1p", "logit",
                     "logsumexp", "polygamma", "sinc", "xlogy")
    },
    expit=FUNCTIONS["sigmoid"],
    round=special_round,
    gammaln=FUNCTIONS["lgamma"],
    multigammaln=mvlgamma,
    psi=FUNCTIONS["digamma"],
)  # fmt: skip
