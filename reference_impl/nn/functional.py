"""The functions that layers are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..backend import kernels as k
from ..op import ELEMENTWISE, FLOAT, LINEAR, POINTWISE, op
from ..ops import FUNCTIONS as F
from ..ops import METHODS, core, pointwise, reduce, shape
from ..ops.core import cast_to, sum_to
from ..ops.linalg import addmm, matmul
from ..ops.pointwise import data_of, exp, sigmoid, where
from ..ops.registry import public
from ..tensor import Tensor, wrap
from .pooling import avg_pool2d, fold_windows, max_pool2d, unfold_windows

__all__ = ["conv2d", "cross_entropy", "dropout", "linear", "mse_loss", "relu", "softmax"]

P = ELEMENTWISE | POINTWISE | FLOAT

# -- activations -----------------------------------------------------------------------------------

relu = pointwise.relu.apply
sigmoid_fn = pointwise.sigmoid.apply
tanh = pointwise.tanh.apply


def keep(g: Any, mask: Any) -> Any:
    """``g`` where a mask holds, else zero."""
    return g * cast_to(mask, data_of(g).dtype)


leaky_row = op(
    "leaky_relu(x, /, slope)",
    lambda x, slope: np.where(x > 0, x, x * slope).astype(x.dtype),
    POINTWISE,
    x=lambda g, x, slope: where(x > 0, g, g * slope),
)
elu_row = op(
    "elu(x, /, alpha)",
    lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))).astype(x.dtype),
    POINTWISE,
    x=lambda g, x, alpha: where(x > 0, g, g * (alpha * exp(where(x > 0, 0, x)))),
)
softplus_row = op(
    "softplus(x, /, beta, threshold)",
    lambda x, beta, th: np.where(x * beta > th, x, k.softplus(x * beta) / beta).astype(x.dtype),
    POINTWISE,
    x=lambda g, x, beta, threshold: where(x * beta > threshold, g, g * sigmoid(x * beta)),
)
hardtanh_row = op(
    "hardtanh(x, /, low, high)",
    lambda x, low, high: np.clip(x, low, high),
    POINTWISE,
    x=lambda g, x, low, high: keep(g, (x > low) & (x < high)),
)
threshold_row = op(
    "threshold(x, /, th, value)",
    lambda x, th, v: np.where(x > th, x, v).astype(x.dtype),
    POINTWISE,
    x=lambda g, x, th: keep(g, x > th),
)


def _log_softmax(x: Any, dim: int) -> Any:
    with np.errstate(all="ignore"):
        shifted = x - x.max(axis=dim, keepdims=True) if x.size else x
        return shifted - np.log(np.exp(shifted).sum(axis=dim, keepdims=True))


def _softmax(x: Any, dim: int) -> Any:
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(axis=dim, keepdims=True)) if x.size else x
        return e / e.sum(axis=dim, keepdims=True)


def total(x: Any, dim: int) -> Any:
    """The sum over one dimension, kept."""
    return reduce.sum_dims(x, (dim,) if x.ndim else (), True)


softmax_row = op(
    "softmax(x, /, dim)", _softmax, FLOAT, x=lambda g, out, dim: (g - total(g * out, dim)) * out
)
log_softmax_row = op(
    "log_softmax(x, /, dim)",
    _log_softmax,
    FLOAT,
    x=lambda g, out, dim: g - exp(out) * total(g, dim),
)


@public("softmax")
def softmax(
    input: Tensor, dim: int | None = None, dtype: Any = None, _stacklevel: int = 3
) -> Tensor:
    """exp(x) over its sum along a dimension."""
    x = input if dtype is None else cast_to(input, dtype.np)
    return softmax_row.apply(x, axis(x, dim))  # type: ignore[no-any-return]


@public("log_softmax")
def log_softmax(
    input: Tensor, dim: int | None = None, dtype: Any = None, _stacklevel: int = 3
) -> Tensor:
    """The logarithm of softmax, computed without it."""
    x = input if dtype is None else cast_to(input, dtype.np)
    return log_softmax_row.apply(x, axis(x, dim))  # type: ignore[no-any-return]


def axis(x: Tensor, dim: int | None) -> int:
    """A dimension, by default the one that classes are in."""
    if dim is None:
        dim = 0 if x._data.ndim in (0, 1, 3) else 1
    return shape.wrap_dim(dim, x._data.ndim)


def softmin(input: Tensor, dim: int | None = None) -> Tensor:
    """softmax of the negative."""
    return softmax(-input, dim)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x above zero, else slope times x."""
    return (leaky_row.inplace if inplace else leaky_row.apply)(input, negative_slope)  # type: ignore[no-any-return]


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x above zero, else alpha (exp(x) - 1)."""
    return elu_row.apply(input, alpha)  # type: ignore[no-any-return]


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta x)) / beta, linear above a threshold."""
    return softplus_row.apply(input, beta, threshold)  # type: ignore[no-any-return]


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Limited to a range, with zero gradient on its bounds."""
    return hardtanh_row.apply(input, min_val, max_val)  # type: ignore[no-any-return]


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Limited to [0, 6]."""
    return hardtanh(input, 0.0, 6.0)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """x above a threshold, else a value."""
    return threshold_row.apply(input, threshold, value)  # type: ignore[no-any-return]


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x sigmoid(x)."""
    return input * sigmoid_fn(input)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the normal distribution function."""
    if approximate == "tanh":
        inner = (input + input * input * input * 0.044715) * math.sqrt(2 / math.pi)
        return input * 0.5 * (inner.tanh() + 1)
    return input * 0.5 * ((input * math.sqrt(0.5)).erf() + 1)


def logsigmoid(input: Tensor) -> Tensor:
    """log of sigmoid."""
    return -softplus(-input, threshold=1e9)


def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - input.tanh()


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x tanh(softplus(x))."""
    return input * softplus(input).tanh()


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half times the sigmoid of the second."""
    a, b = input.chunk(2, dim)
    return a * b.sigmoid()  # type: ignore[no-any-return]


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero elements at random with probability p and scale the rest; nothing in evaluation.

    Raises:
        ValueError: p is not a probability.
    """
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    from ..ops.create import rng

    keep_it = (rng().random(input._data.shape) >= p).astype(input._data.dtype)
    mask = wrap(keep_it / (1 - p) if p < 1 else keep_it * 0)
    return input.mul_(mask) if inplace else input * mask


# -- linear ----------------------------------------------------------------------------------------


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W^T + b over the last dimension."""
    if bias is not None and input._data.ndim == 2:
        return addmm.apply(bias, input, weight.t(), 1, 1)  # type: ignore[no-any-return]
    out = matmul(input, weight.t())
    return out if bias is None else out + bias  # type: ignore[no-any-return]


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1^T W x2 + b for each output."""
    out = F["einsum"]("...i,oij,...j->...o", input1, weight, input2)
    return out if bias is None else out + bias  # type: ignore[no-any-return]


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    """Rows of a table."""
    return embedding_row.apply(weight, input._data.copy(), padding_idx)  # type: ignore[no-any-return]


def _embedding_rule(g: Any, x_shape: Any, index: Any, padding: Any) -> Any:
    from ..ops.index import _accumulated

    if padding is not None:
        g = g * cast_to_like(index != padding, g)
    return _accumulated(g, x_shape, (index,))


def cast_to_like(mask: Any, g: Any) -> Any:
    """A mask over rows as factors for ``g``."""
    m = mask.astype(data_of(g).dtype)[..., None]
    return wrap(m) if isinstance(g, Tensor) else m


embedding_row = op(
    "embedding(x, /, index, padding)", lambda x, index, padding: x[index], LINEAR, x=_embedding_rule
)

# -- convolution -----------------------------------------------------------------------------------


def pair(v: Any) -> tuple[int, int]:
    """One number for both dimensions, or two."""
    return (v, v) if isinstance(v, int) else tuple(v)  # type: ignore[return-value]


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlation of (N, C, H, W) with (O, C / groups, KH, KW)."""
    x = input if input._data.ndim == 4 else input.unsqueeze(0)
    if x._data.shape[1] != weight._data.shape[1] * groups:
        raise RuntimeError(
            f"[conv2d] given groups={groups}, weight of size {list(weight.shape)}, expected "
            f"input{list(input.shape)} to have {weight._data.shape[1] * groups} channels, but got "
            f"{x._data.shape[1]} channels instead"
        )
    out = conv_row.apply(x, weight, pair(stride), pair(padding), pair(dilation), groups)
    if bias is not None:
        out = out + bias.reshape(-1, 1, 1)
    return out if input._data.ndim == 4 else out.squeeze(0)  # type: ignore[no-any-return]


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """conv2d over one dimension."""
    one = lambda v: v if isinstance(v, int) else v[0]  # noqa: E731
    out = conv2d(
        input.unsqueeze(-2),
        weight.unsqueeze(-2),
        bias,
        (1, one(stride)),
        (0, one(padding)),
        (1, one(dilation)),
        groups,
    )
    return out.squeeze(-2)


def _conv(x: Any, w: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    cols = unfold_windows(x, w.shape[2:], stride, padding, dilation)  # N, C, KH, KW, OH, OW
    n, c, kh, kw, oh, ow = cols.shape
    o = w.shape[0]
    a = cols.reshape(n, groups, c // groups * kh * kw, oh * ow)
    b = w.reshape(groups, o // groups, -1)
    return np.matmul(b, a).reshape(n, o, oh, ow)


def conv_x_rule(
    g: Any, x_shape: Any, y: Any, stride: Any, padding: Any, dilation: Any, groups: Any
) -> Any:
    """The gradient of the input: windows' gradients added back."""
    return conv_input(g, core.conj(y), tuple(x_shape), stride, padding, dilation, groups)


def _conv_input(
    g: Any, w: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    n, o, oh, ow = g.shape
    a = g.reshape(n, groups, o // groups, oh * ow)
    b = w.reshape(groups, o // groups, -1)
    cols = np.matmul(b.swapaxes(-1, -2), a)
    cols = cols.reshape(n, size[1], *w.shape[2:], oh, ow)
    return fold_windows(cols, size, stride, padding, dilation)


def _conv_weight(
    g: Any, x: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    cols = unfold_windows(x, size[2:], stride, padding, dilation)
    n, c, kh, kw, oh, ow = cols.shape
    a = cols.reshape(n, groups, c // groups * kh * kw, oh * ow)
    b = g.reshape(n, groups, size[0] // groups, oh * ow)
    return np.matmul(b, a.swapaxes(-1, -2)).sum(0).reshape(size)


conv_row = op(
    "convolution(x, y, /, stride, padding, dilation, groups)",
    _conv,
    x=conv_x_rule,
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_weight(
        g, core.conj(x), tuple(y_shape), stride, padding, dilation, groups
    ),
)
conv_input = op(
    "convolution_input(x, y, /, size, stride, padding, dilation, groups)",
    _conv_input,
    x=lambda g, y, stride, padding, dilation, groups: conv_row(
        g, core.conj(y), stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_weight(
        x, core.conj(g), tuple(y_shape), stride, padding, dilation, groups
    ),
)
conv_weight = op(
    "convolution_weight(x, y, /, size, stride, padding, dilation, groups)",
    _conv_weight,
    x=lambda g, y, stride, padding, dilation, groups: conv_row(
        y, g, stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_input(
        x, g, tuple(y_shape), stride, padding, dilation, groups
    ),
)


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """With a constant put around: sizes given from the last dimension on, in pairs."""
    if mode != "constant":
        raise NotImplementedError(f"pad: mode {mode!r} is not implemented; use 'constant'")
    x = input
    n = input._data.ndim
    for k_, (before, after) in enumerate(zip(pad[::2], pad[1::2], strict=True)):
        d = n - 1 - k_
        parts = []
        for size in (before, None, after):
            if size is None:
                parts.append(
                    x.narrow(
                        d, max(-before, 0), x._data.shape[d] - max(-before, 0) - max(-after, 0)
                    )
                )
            elif size > 0:
                s = list(x._data.shape)
                s[d] = size
                parts.append(wrap(np.full(s, value or 0, x._data.dtype)))
        x = F["cat"](parts, d) if len(parts) > 1 else parts[0]
    return x


# -- normalisation ---------------------------------------------------------------------------------


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel brought to mean 0 and variance 1: of the batch in training, else of the running
    estimates."""
    n = input._data.ndim
    dims = (0, *range(2, n))
    view = (1, -1) + (1,) * (n - 2)
    if training:
        count = input._data.size // input._data.shape[1]
        if count <= 1:
            raise ValueError(
                "Expected more than 1 value per channel when training, got input size "
                f"{list(input.shape)}"
            )
        mean = input.mean(dims, keepdim=True)
        var = input.var(dims, correction=0, keepdim=True)
        if running_mean is not None and running_var is not None:
            fresh_mean = mean._data.reshape(-1)
            fresh_var = var._data.reshape(-1) * (count / (count - 1))
            running_mean._data[...] = (1 - momentum) * running_mean._data + momentum * fresh_mean
            running_var._data[...] = (1 - momentum) * running_var._data + momentum * fresh_var
            running_mean._vc[0] += 1
            running_var._vc[0] += 1
    else:
        if running_mean is None or running_var is None:
            raise RuntimeError(
                "Expected running_mean and running_var to be defined when training=False"
            )
        mean, var = running_mean.reshape(view), running_var.reshape(view)
    out = (input - mean) * (var + eps).rsqrt()
    if weight is not None:
        out = out * weight.reshape(view)
    return out if bias is None else out + bias.reshape(view)  # type: ignore[no-any-return]


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """The last dimensions brought to mean 0 and variance 1."""
    dims = tuple(range(-len(normalized_shape), 0))
    mean = input.mean(dims, keepdim=True)
    out = (input - mean) * (input.var(dims, correction=0, keepdim=True) + eps).rsqrt()
    if weight is not None:
        out = out * weight
    return out if bias is None else out + bias  # type: ignore[no-any-return]


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divided by the norm along a dimension."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)  # type: ignore[no-any-return]


# -- losses ----------------------------------------------------------------------------------------


def reduced(loss: Tensor, reduction: str) -> Tensor:
    """The mean, the sum, or all of a loss."""
    if reduction == "mean":
        return loss.mean()  # type: ignore[no-any-return]
    if reduction == "sum":
        return loss.sum()  # type: ignore[no-any-return]
    if reduction != "none":
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return loss


mse_row = op(
    "mse_loss(x, y, /, scale)",
    lambda x, y, scale: ((x - y) ** 2).sum() * scale,
    x=lambda g, x, y, x_shape, scale: sum_to(g * (2 * scale) * (x - y), x_shape),
    y=lambda g, x, y, y_shape, scale: sum_to(g * (-2 * scale) * (x - y), y_shape),
)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean of squared differences."""
    if input._data.shape != target._data.shape:
        import warnings

        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}). This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            UserWarning,
            stacklevel=2,
        )
    if reduction == "none" or input._data.dtype is not target._data.dtype:
        return reduced((input - target) ** 2, reduction)
    n = int(np.prod(np.broadcast_shapes(input._data.shape, target._data.shape)))
    return mse_row.apply(input, target, 1.0 if reduction == "sum" else (1.0 / n if n else math.nan))  # type: ignore[no-any-return]


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The mean of absolute differences."""
    return reduced((input - target).abs(), reduction)


def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Squared near zero, absolute beyond."""
    d = (input - target).abs()
    inner = F["where"](d < beta, d * d * (0.5 / beta), d - 0.5 * beta)
    return reduced(inner, reduction)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    """smooth_l1_loss times delta."""
    return smooth_l1_loss(input, target, reduction, delta) * delta


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log-probability of the target class, weighted."""
    x = input.unsqueeze(0) if input._data.ndim == 1 else input
    index = (
        target._data.reshape((1, *target._data.shape)) if input._data.ndim == 1 else target._data
    )
    valid = index != ignore_index
    safe = np.where(valid, index, 0)
    if safe.size and (safe.min() < 0 or safe.max() >= x._data.shape[1]):
        raise IndexError(f"Target {int(safe.max())} is out of bounds.")
    picked = x.gather(1, wrap(np.expand_dims(safe, 1))).squeeze(1)
    w = np.ones(x._data.shape[1], x._data.dtype) if weight is None else weight._data
    factors = (w[safe] * valid).astype(x._data.dtype)
    loss = -picked * wrap(factors)
    if reduction == "mean":
        total_weight = float(factors.sum())
        return loss.sum() / total_weight if total_weight else loss.sum() * math.nan  # type: ignore[no-any-return]
    if reduction == "none" and input._data.ndim == 1:
        return loss.squeeze(0)  # type: ignore[no-any-return]
    return reduced(loss, reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Minus the log-probability of the target, given scores; the target is a class or a
    distribution."""
    dim = 0 if input._data.ndim == 1 else 1
    logp = log_softmax(input, dim)
    if target._data.dtype.kind == "f":
        n = input._data.shape[dim]
        t = target * (1 - label_smoothing) + label_smoothing / n
        w = (
            1.0
            if weight is None
            else weight.reshape([-1 if d == dim else 1 for d in range(input._data.ndim)])
        )
        loss = -(logp * t * w).sum(dim)
        return (
            loss.sum() / (loss._data.size or 1) if reduction == "mean" else reduced(loss, reduction)
        )  # type: ignore[no-any-return]
    hard = nll_loss(logp, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return hard
    valid = wrap((target._data != ignore_index).astype(input._data.dtype))
    smooth = -logp.mean(dim) * valid
    smooth = smooth.sum() / valid.sum() if reduction == "mean" else reduced(smooth, reduction)
    return hard * (1 - label_smoothing) + smooth * label_smoothing


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Minus the log-likelihood of probabilities, logs limited to -100."""
    loss = -(
        target * input.log().clamp_min(-100.0) + (1 - target) * (1 - input).log().clamp_min(-100.0)
    )
    return reduced(loss if weight is None else loss * weight, reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """The same, given scores."""
    scale = 1.0 if pos_weight is None else (pos_weight - 1) * target + 1
    loss = (1 - target) * input + softplus(-input, threshold=1e9) * scale
    return reduced(loss if weight is None else loss * weight, reduction)


def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """target times (log target - input)."""
    loss = (
        target.exp() * (target - input)
        if log_target
        else F["xlogy"](target, target) - target * input
    )
    return (
        loss.sum() / input._data.shape[0] if reduction == "batchmean" else reduced(loss, reduction)
    )  # type: ignore[no-any-return]


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors."""
    a = x1 / x1.norm(2, dim, keepdim=True).clamp_min(eps)
    b = x2 / x2.norm(2, dim, keepdim=True).clamp_min(eps)
    return (a * b).sum(dim)  # type: ignore[no-any-return]


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Rows of the identity matrix."""
    n = int(tensor._data.max()) + 1 if num_classes < 0 else num_classes
    return wrap(np.eye(n, dtype=np.int64)[tensor._data])


globals()["sigmoid"] = sigmoid_fn
METHODS.setdefault("softmax", softmax)
__all__ += ["avg_pool2d", "max_pool2d"]


# -- more activations and losses -------------------------------------------------------------------

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805

selu_row = op(
    "selu(x)",
    lambda x: (SELU_SCALE * np.where(x > 0, x, SELU_ALPHA * np.expm1(np.minimum(x, 0)))).astype(
        x.dtype
    ),
    P,
    x=lambda g, x: where(
        x > 0, g * SELU_SCALE, g * (SELU_SCALE * SELU_ALPHA * exp(where(x > 0, 0, x)))
    ),
)
hardswish_row = op(
    "hardswish(x)",
    lambda x: x * np.clip(x + 3, 0, 6) / 6,
    P,
    x=lambda g, x: where(x <= -3, 0, where(x >= 3, g, g * (x / 3 + 0.5))),
)
hardsigmoid_row = op(
    "hardsigmoid(x)",
    lambda x: np.clip(x + 3, 0, 6) / 6,
    P,
    x=lambda g, x: keep(g, (x > -3) & (x < 3)) / 6,
)
hardshrink_row = op(
    "hardshrink(x, /, lambd)",
    lambda x, lambd: np.where(np.abs(x) > lambd, x, 0).astype(x.dtype),
    POINTWISE,
    x=lambda g, x, lambd: keep(g, (x > lambd) | (x < -lambd)),
)
softshrink_row = op(
    "softshrink(x, /, lambd)",
    lambda x, lambd: (np.sign(x) * np.maximum(np.abs(x) - lambd, 0)).astype(x.dtype),
    POINTWISE,
    x=lambda g, x, lambd: keep(g, (x > lambd) | (x < -lambd)),
)
prelu_row = op(
    "prelu(x, y)",
    lambda x, y: np.where(x > 0, x, x * y),
    ELEMENTWISE,
    x=lambda g, x, y: where(x > 0, g, g * y),
    y=lambda g, x: where(x > 0, 0, g * x),
)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Scaled elu."""
    return selu_row.apply(input)  # type: ignore[no-any-return]


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x above zero, else alpha (exp(x / alpha) - 1)."""
    return elu(input / alpha, 1.0) * alpha


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x times hardsigmoid(x)."""
    return hardswish_row.apply(input)  # type: ignore[no-any-return]


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A piecewise linear sigmoid."""
    return hardsigmoid_row.apply(input)  # type: ignore[no-any-return]


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """x, zero within lambd of zero."""
    return hardshrink_row.apply(input, lambd)  # type: ignore[no-any-return]


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """x moved towards zero by lambd."""
    return softshrink_row.apply(input, lambd)  # type: ignore[no-any-return]


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """x above zero, else weight times x."""
    w = weight
    if weight._data.size > 1 and input._data.ndim > 1:
        w = weight.reshape([1, -1] + [1] * (input._data.ndim - 2))
    return prelu_row.apply(input, w)  # type: ignore[no-any-return]


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Groups of channels brought to mean 0 and variance 1."""
    n, c = input._data.shape[:2]
    x = input.reshape(n, num_groups, -1)
    x = (x - x.mean(-1, keepdim=True)) * (x.var(-1, correction=0, keepdim=True) + eps).rsqrt()
    out = x.reshape(input._data.shape)
    view = [1, c] + [1] * (input._data.ndim - 2)
    if weight is not None:
        out = out * weight.reshape(view)
    return out if bias is None else out + bias.reshape(view)


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The norm of the difference of rows."""
    return (x1 - x2 + eps).norm(p, -1, keepdim)  # type: ignore[no-any-return]


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log-likelihood of counts."""
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    return reduced(loss, reduction)


def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-target x))."""
    return reduced(softplus(-target * input, threshold=1e9), reduction)
