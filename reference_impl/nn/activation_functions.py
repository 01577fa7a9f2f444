"""Activations, softmax and dropout."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend import kernels as k
from ..backend.dtypes import BY_NUMPY, array_dtype
from ..backend.special import erfc
from ..errors import caution, unsupported_dtype
from ..graph.row import ELEMENTWISE, FLOAT, NO_COMPLEX_GRADIENT, POINTWISE
from ..naming import named
from ..ops import dims, joins, pointwise, reduce, shape
from ..ops.choose import where
from ..ops.core import cast_to, no_bools, zeros_of
from ..ops.draw import dropout_mask
from ..ops.op import Op, op, variant
from ..ops.pointwise import exp, logistic, sigmoid
from ..ops.registry import SPECIAL, function, public
from ..tensor.tensor import Tensor, wrap

P = ELEMENTWISE | POINTWISE | FLOAT
ROOT_2_OVER_PI, CUBIC = math.sqrt(2 / math.pi), 0.044715


def twin(row: Op, inplace: bool) -> Callable[..., Tensor]:
    """A row as a function, or the one that overwrites its input."""
    if not inplace:
        return row.apply
    node = row.row.node_name
    if node in NAMED_ANEW and row not in OVERWRITING:
        OVERWRITING[row] = variant(row, node[:-1] + "1")
    return OVERWRITING.get(row, row).inplace


NAMED_ANEW = (
    "LeakyReluBackward0", "EluBackward0", "CeluBackward0", "ThresholdBackward0",
    "RreluWithNoiseBackward0",
)  # fmt: skip
"""Nodes that have another name where the input is overwritten."""
OVERWRITING: dict[Op, Op] = {}


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(x, 0)."""
    return twin(pointwise.relu, inplace)(input)


def sigmoid_fn(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""
    return pointwise.sigmoid.apply(input)


named(sigmoid_fn, "sigmoid")


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent of each element."""
    return pointwise.tanh.apply(input)


def below_zero(x: Any) -> Any:
    """``x`` where it is negative, else a zero that depends on nothing: so second derivatives at
    zero are those of the other side."""
    return where(x >= 0, 0, x)


def keep(g: Any, mask: Any) -> Any:
    """``g`` where a mask holds, else zero."""
    return where(mask, g, 0)


leaky_backward: Op = op(
    "leaky_relu_backward(x, y, /, slope)",
    lambda g, y, slope: where(y > 0, g, g * slope),
    x=lambda g, y, slope: leaky_backward(g, y, slope),
    y=lambda g: zeros_of(g),
)
hardtanh_backward: Op = op(
    "hardtanh_backward(x, y, /, low, high)",
    lambda g, y, low, high: where((y <= low) | (y >= high), 0, g),
    x=lambda g, y, low, high: hardtanh_backward(g, y, low, high),
    y=lambda g: zeros_of(g),
)
leaky_row = op(
    "leaky_relu(x, /, slope)",
    lambda x, slope: np.where(x > 0, x, x * slope).astype(x.dtype),
    POINTWISE,
    refuses="bic",
    x=lambda g, x, slope: leaky_backward(g, x, slope),
)
rrelu_row = variant(leaky_row, "RreluWithNoiseBackward0")
rrelu_noise_row = op(
    "rrelu_with_noise(x, /, slopes)",
    lambda x, slopes: np.where(x > 0, x, x * slopes).astype(x.dtype),
    POINTWISE,
    refuses="bic",
    x=lambda g, x, slopes: where(x > 0, g, g * (wrap(slopes) if isinstance(g, Tensor) else slopes)),
)
elu_row = op(
    "elu(x, /, alpha)",
    k.in_single(
        lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))).astype(x.dtype)
    ),
    POINTWISE,
    refuses="bic",
    x=k.in_single(lambda g, x, alpha: where(x <= 0, g * (alpha * exp(below_zero(x))), g)),
)
softplus_row = op(
    "softplus(x, /, beta, threshold)",
    k.in_single(
        lambda x, beta, th: np.where(x * beta > th, x, k.softplus(x * beta) / beta).astype(x.dtype)
    ),
    POINTWISE,
    refuses="bic",
    x=k.in_single(
        lambda g, x, beta, threshold: where(x * beta > threshold, g, g * logistic(x * beta))
    ),
)
hardtanh_row = op(
    "hardtanh(x, /, low, high)",
    lambda x, low, high: np.clip(x, low, high).astype(x.dtype),
    POINTWISE,
    check=no_bools("hardtanh", "the tensor itself"),
    refuses="c",
    x=lambda g, x, low, high: hardtanh_backward(g, x, low, high),
)
threshold_row = op(
    "threshold(x, /, th, value)",
    lambda x, th, v: cast_to(np.where(x <= th, v, x), x.dtype),
    POINTWISE,
    refuses="bc",
    x=lambda g, x, th: pointwise.threshold_backward(g, x, th),
)


def _gelu(x: Any, approximate: str) -> Any:
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(ROOT_2_OVER_PI * (x + CUBIC * (x * x * x))))
    return 0.5 * x * erfc(x * -math.sqrt(0.5))


@k.in_single
def gelu_rule(g: Any, x: Any, approximate: str) -> Any:
    """The distribution function plus x times the density, or the slope of its approximation."""
    if approximate == "tanh":
        t = pointwise.tanh(ROOT_2_OVER_PI * (x + CUBIC * (x * x * x)))
        inner = ROOT_2_OVER_PI * (1 + 3 * CUBIC * (x * x))
        return g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner)
    density = exp(-0.5 * (x * x)) * (1 / math.sqrt(2 * math.pi))
    return g * (0.5 * pointwise.erfc(x * -math.sqrt(0.5)) + x * density)


@k.in_single
def mish_rule(g: Any, x: Any) -> Any:
    """tanh(softplus(x)) and x times its slope."""
    t = pointwise.tanh(softplus_row(x, 1.0, 20.0))
    return g * (t + x * sigmoid(x) * (1 - t * t))


@k.in_single
def silu_rule(g: Any, x: Any) -> Any:
    """sigmoid(x) and x times its slope."""
    return g * (logistic(x) * (1 + x * logistic(-x)))


def _halves(x: Any, dim: int) -> tuple[Any, Any]:
    n = x.shape[dim] // 2
    return shape.slice_(x, dim, slice(0, n)), shape.slice_(x, dim, slice(n, 2 * n))


def glu_rule(g: Any, x: Any, dim: int) -> Any:
    """The gradients of both halves, joined."""
    a, b = _halves(x, dim)
    s = sigmoid(b)
    return joins.cat([g * s, g * a * (s * (1 - s))], dim)


def _glu(x: Any, dim: int) -> Any:
    a, b = _halves(x, dim)
    return a * k.sigmoid(b)


gelu_row = op("gelu(x, /, approximate)", k.in_single(_gelu), POINTWISE, refuses="bic", x=gelu_rule)
silu_row = op(
    "silu(x)",
    k.in_single(lambda x: x * k.sigmoid(x)),
    ELEMENTWISE | POINTWISE | NO_COMPLEX_GRADIENT,
    refuses="bi",
    x=silu_rule,
)
mish_row = op(
    "mish(x)",
    k.in_single(lambda x: x * np.tanh(k.softplus(x))),
    ELEMENTWISE | POINTWISE,
    refuses="bic",
    x=mish_rule,
)
logsigmoid_row = op(
    "log_sigmoid(x)",
    k.in_single(lambda x: 0 - k.softplus(-x)),
    ELEMENTWISE | POINTWISE,
    refuses="bic",
    x=k.in_single(lambda g, x: g * logistic(-x)),
)
glu_row = op("glu(x, /, dim)", k.in_single(_glu), refuses="bic", x=k.in_single(glu_rule))
celu_row = op(
    "celu(x, /, alpha)",
    k.in_single(
        lambda x, alpha: cast_to(
            np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0) / alpha)), x.dtype
        )
    ),
    POINTWISE,
    refuses="bic",
    x=k.in_single(lambda g, x, alpha: where(x <= 0, g * exp(below_zero(x) / alpha), g)),
)


def _log_softmax(x: Any, dim: int) -> Any:
    axis = dim if x.ndim else None
    shifted = x - x.max(axis=axis, keepdims=True) if x.size else x
    return shifted - k.log(k.exp(shifted).sum(axis=axis, keepdims=True))


def _softmax(x: Any, dim: int) -> Any:
    axis = dim if x.ndim else None
    e = k.exp(x - x.max(axis=axis, keepdims=True)) if x.size else x
    total = e.sum(axis=axis, keepdims=True)
    return e * (1 / total) if dim % max(x.ndim, 1) == x.ndim - 1 else e / total  # as users see it


def total(x: Any, dim: int) -> Any:
    """The sum over one dimension, kept."""
    return reduce.sum_dims(x, (dim,) if x.ndim else (), True)


softmax_row = op(
    "softmax(x, /, dim)",
    k.in_single(_softmax),
    refuses="bic",
    x=k.in_single(lambda g, out, dim: (g - total(g * out, dim)) * out),
)
log_softmax_row = op(
    "log_softmax(x, /, dim)",
    k.in_single(_log_softmax),
    refuses="bic",
    x=k.in_single(lambda g, out, dim: g - exp(out) * total(g, dim)),
)


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """exp(x) over its sum along a dimension."""
    x = input if dtype is None else cast_to(input, array_dtype(dtype))
    return softmax_row.apply(x, axis("softmax", x, dim))


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """The logarithm of softmax, computed without it."""
    x = input if dtype is None else cast_to(input, array_dtype(dtype))
    return log_softmax_row.apply(x, axis("log_softmax", x, dim))


def along_a_dimension(name: str, fn: Callable[..., Tensor]) -> None:
    """Make public a function that has no default dimension there."""

    def run(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
        return fn(input, dim, dtype=dtype)

    run.__doc__ = fn.__doc__
    public(name)(run)
    SPECIAL[name] = run


along_a_dimension("softmax", softmax)
along_a_dimension("log_softmax", log_softmax)


def axis(what: str, x: Tensor, dim: int | None) -> int:
    """A dimension, by default (which is deprecated) the one that classes are in."""
    if dim is None:
        caution(
            f"{what}(): without dim, the dimension is guessed from the shape, which is deprecated. "
            "Pass dim=."
        )
        dim = 0 if x._data.ndim in (0, 1, 3) else 1
    return dims.wrap_dim(dim, x._data.ndim)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """softmax of the negative."""
    x = input if dtype is None else cast_to(input, array_dtype(dtype))
    return softmax_row.apply(-x, axis("softmin", x, dim))


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x above zero, else slope times x."""
    return twin(leaky_row, inplace)(input, negative_slope)


@function("rrelu")
def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """leaky_relu whose slope is the middle of a range, or in training drawn for each element.

    Raises:
        ValueError: lower is above upper.
    """
    if lower > upper:
        raise errors.wrong_value(f"rrelu(): lower must not be above upper; got {lower} and {upper}")
    if not training:
        return twin(rrelu_row, inplace)(input, (lower + upper) / 2)
    slopes = input.detach().clone().fill_(1)
    slopes[input <= 0] = input.new_empty(int((input <= 0).sum())).uniform_(lower, upper)
    return twin(rrelu_noise_row, inplace)(input, slopes._data)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x above zero, else alpha (exp(x) - 1)."""
    return twin(elu_row, inplace)(input, alpha)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta x)) / beta, linear above a threshold."""
    return softplus_row.apply(input, beta, threshold)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Limited to a range, with zero gradient on its bounds.

    Raises:
        RuntimeError: a limit below zero, and unsigned numbers.
    """
    if input._data.dtype.kind == "u" and min(min_val, max_val) < 0:
        raise errors.wrong_dtype(
            f"hardtanh(): {input.dtype} holds nothing below zero; got limits {min_val} and {max_val}"
        )
    return twin(hardtanh_row, inplace)(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Limited to [0, 6]."""
    return hardtanh(input, 0.0, 6.0, inplace)


@function("threshold")
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """x above a threshold, else a value."""
    return twin(threshold_row, inplace)(input, threshold, value)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x sigmoid(x)."""
    return twin(silu_row, inplace)(input)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the normal distribution function.

    Raises:
        RuntimeError: ``approximate`` is neither "none" nor "tanh".
    """
    if approximate not in ("none", "tanh"):
        raise errors.wrong_value(
            f"approximate argument must be either none or tanh, got {approximate}", RuntimeError
        )
    return gelu_row.apply(input, approximate)


def logsigmoid(input: Tensor) -> Tensor:
    """log of sigmoid."""
    return logsigmoid_row.apply(input)


def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - input.tanh()


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x tanh(softplus(x))."""
    return twin(mish_row, inplace)(input)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half times the sigmoid of the second.

    Raises:
        RuntimeError: the dimension cannot be halved.
    """
    if not input._data.ndim:
        raise errors.wrong_shape("glu does not support scalars because halving size must be even")
    d = dims.wrap_dim(dim, input._data.ndim)
    if input._data.shape[d] % 2:
        raise errors.wrong_shape(
            "glu(): the dimension to halve must be of even size; got "
            f"{input._data.shape[d]} at dimension {d}"
        )
    return glu_row.apply(input, d)


@function("dropout")
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero elements at random with probability p and scale the rest; nothing in evaluation.

    Raises:
        ValueError: p is not a probability.
    """
    if not 0 <= p <= 1:
        raise errors.wrong_value(f"dropout(): the probability p must lie in [0, 1]; got {p}")
    if not training or p == 0 or not input._data.size:
        return input
    mask = wrap(dropout_mask(input._data, p))
    return input.mul_(mask) if inplace else input * mask


def real_floating(what: str) -> Any:
    """Refuse whole numbers and complex ones, before they are converted."""

    def check(arrays: Any) -> None:
        if arrays[0].dtype.kind in "biuc":
            raise unsupported_dtype(what, BY_NUMPY[arrays[0].dtype])

    return check


SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805

selu_row = op(
    "selu(x)",
    lambda x: (SELU_SCALE * np.where(x > 0, x, SELU_ALPHA * np.expm1(np.minimum(x, 0)))).astype(
        x.dtype
    ),
    P,
    check=real_floating("selu"),
    refuses="c",
    x=lambda g, x: where(
        x <= 0, g * (SELU_SCALE * SELU_ALPHA * exp(below_zero(x))), g * SELU_SCALE
    ),
    node="EluBackward0",
)
hardswish_row = op(
    "hardswish(x)",
    lambda x: x * np.clip(x + 3, 0, 6) / 6,
    P,
    check=real_floating("hardswish"),
    refuses="c",
    x=lambda g, x: where(x <= -3, 0, where(x < 3, g * (x / 3 + 0.5), g)),
)
hardsigmoid_row = op(
    "hardsigmoid(x)",
    lambda x: np.clip(x + 3, 0, 6) / 6,
    P,
    check=real_floating("hardsigmoid"),
    refuses="c",
    x=lambda g, x: keep(g, (x > -3) & (x < 3)) / 6,
)
shrink_backward: Op = op(
    "shrink_backward(x, y, /, lambd)",
    lambda g, y, lambd: where((y >= -lambd) & (y <= lambd), 0, g),
    x=lambda g, y, lambd: shrink_backward(g, y, lambd),
    y=lambda g: zeros_of(g),
)
"""A gradient beyond two thresholds. It depends on ``y``, with a derivative of zero."""
hardshrink_row = op(
    "hardshrink(x, /, lambd)",
    lambda x, lambd: np.where((x >= -lambd) & (x <= lambd), 0, x).astype(x.dtype),
    POINTWISE,
    refuses="bic",
    x=lambda g, x, lambd: shrink_backward(g, x, lambd),
)
softshrink_row = op(
    "softshrink(x, /, lambd)",
    lambda x, lambd: np.where(np.abs(x) > lambd, x - np.copysign(lambd, x), x * 0).astype(x.dtype),
    POINTWISE,
    refuses="bic",
    x=lambda g, x, lambd: shrink_backward(g, x, lambd),
)
prelu_row = op(
    "prelu(x, y)",
    lambda x, y: np.where(x > 0, x, x * y),
    ELEMENTWISE,
    node="PreluKernelBackward0",
    refuses="bic",
    x=lambda g, x, y: where(x > 0, g, g * y),
    y=lambda g, x: where(x > 0, 0, g * x),
)


@function("selu")
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Scaled elu."""
    return twin(selu_row, inplace)(input)


@function("celu")
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x above zero, else alpha (exp(x / alpha) - 1).

    Raises:
        RuntimeError: alpha is zero.
    """
    if alpha == 0:
        raise errors.wrong_value("celu(): alpha cannot be 0", RuntimeError)
    return twin(celu_row, inplace)(input, alpha)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x times hardsigmoid(x)."""
    return twin(hardswish_row, inplace)(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A piecewise linear sigmoid."""
    return twin(hardsigmoid_row, inplace)(input)


@public("hardshrink")
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """x, zero within lambd of zero."""
    return hardshrink_row.apply(input, lambd)


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """x moved towards zero by lambd.

    Raises:
        ValueError: ``lambd`` is below zero.
    """
    if lambd < 0:
        raise errors.wrong_value(f"softshrink(): lambd must not be below zero; got {lambd}")
    return softshrink_row.apply(input, lambd)


@public("prelu")
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """x above zero, else weight times x."""
    w = weight
    if weight._data.size > 1 and input._data.ndim > 1:
        w = weight.reshape([1, -1] + [1] * (input._data.ndim - 2))
    elif not input._data.ndim:
        w = weight.reshape(())
    return prelu_row.apply(input, w)
