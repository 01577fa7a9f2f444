"""Bringing groups of values to mean 0 and variance 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import astype, zeros
from ..backend.dtypes import DType, bfloat16, float16, float32
from ..ops.core import in_wider, rounded_once, sum_to
from ..ops.op import op
from ..ops.pointwise import rsqrt
from ..ops.reduce import mean_dims
from ..ops.registry import function
from ..ops.shape import _place, slice_
from ..tensor.tensor import Tensor, wrap


def in_half_precision(norm: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Beside float32 parameters or estimates, a half-precision input is worked on in float32, and
    the result is again in its dtype."""

    @wraps(norm)
    def run(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        others = (a for a in (*args, *kwargs.values()) if isinstance(a, Tensor))
        if input.dtype in (float16, bfloat16) and any(a.dtype is float32 for a in others):
            return rounded_once(norm, input.dtype, (input, *args), kwargs)
        return norm(input, *args, **kwargs)

    return run


@function("batch_norm")
@in_half_precision
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
    check_channels(input, running_mean, running_var, weight, bias)
    dims = (0, *range(2, input._data.ndim))
    if training:
        count = input._data.size // input._data.shape[1]
        if count == 1:
            raise errors.wrong_value(
                "batch_norm(): training needs more than 1 value per channel for a variance; "
                f"got shape {list(input.shape)}"
            )
        if count and running_mean is not None and running_var is not None:
            fresh_mean = input._data.mean(dims)
            fresh_var = input._data.var(dims) * (count / (count - 1))
            running_mean._data[...] = (1 - momentum) * running_mean._data + momentum * fresh_mean
            running_var._data[...] = (1 - momentum) * running_var._data + momentum * fresh_var
            running_mean._vc[0] += 1
            running_var._vc[0] += 1
    else:
        if running_mean is None or running_var is None:
            raise errors.wrong_value(
                "batch_norm(): without training the running estimates are used; got None for "
                "running_mean or running_var. Pass both, or training=True.",
                RuntimeError,
            )
        return estimated_row.apply(input, weight, bias, running_mean, running_var, eps)
    return batch_row.apply(input, weight, bias, eps)


def _per_channel(w: Any, x: Any) -> Any:
    """A number for each channel, ready to broadcast with ``x``."""
    return w.reshape((1, -1) + (1,) * (x.ndim - 2))


def _affine(out: Any, weight: Any, bias: Any) -> Any:
    """Scaled and shifted by channel."""
    if weight is not None:
        out = out * _per_channel(weight, out)
    return out if bias is None else out + _per_channel(bias, out)


def _scaled(g: Any, weight: Any) -> Any:
    return g if weight is None else g * _per_channel(weight, g)


def _summed(g: Any) -> Any:
    """A gradient summed over all but the channels."""
    c = g.shape[1]
    return sum_to(g, (1, c) + (1,) * (g.ndim - 2)).reshape((c,))


def _centred_gradient(g: Any, x: Any, dims: tuple[int, ...], eps: float) -> Any:
    """What stays of the gradient when its mean and its part along the result are taken away."""
    out, scale = _normalized(x, dims, eps)
    return scale * (g - mean_dims(g, dims, True) - out * mean_dims(g * out, dims, True))


def _but_channels(x: Any) -> tuple[int, ...]:
    return (0, *range(2, x.ndim))


def _estimated(x: Any, mean: Any, var: Any, eps: float) -> Any:
    return (x - _per_channel(mean, x)) * rsqrt(_per_channel(var, x) + eps)


batch_row = op(
    "native_batch_norm(x, weight, bias, /, eps)",
    lambda x, weight, bias, eps: _affine(_normalized(x, _but_channels(x), eps)[0], weight, bias),
    x=lambda g, x, weight, eps: _centred_gradient(_scaled(g, weight), x, _but_channels(x), eps),
    weight=lambda g, x, eps: _summed(g * _normalized(x, _but_channels(x), eps)[0]),
    bias=lambda g: _summed(g),
)
estimated_row = op(
    "native_batch_norm(x, weight, bias, mean, var, /, eps)",
    lambda x, weight, bias, mean, var, eps: _affine(_estimated(x, mean, var, eps), weight, bias),
    x=lambda g, weight, var, eps: _scaled(g, weight) * rsqrt(_per_channel(var, g) + eps),
    weight=lambda g, x, mean, var, eps: _summed(g * _estimated(x, mean, var, eps)),
    bias=lambda g: _summed(g),
)


def check_last(what: str, input: Tensor, normalized_shape: Any) -> None:
    """Refuse an input whose last dimensions are not those that are to be normalized."""
    if tuple(input._data.shape[-len(normalized_shape) :]) != tuple(normalized_shape):
        raise errors.wrong_shape(
            f"{what}(): given normalized_shape={list(normalized_shape)}, expected input with shape "
            f"[*, {', '.join(map(str, normalized_shape))}], but got input of size "
            f"{list(input.shape)}"
        )


def check_weights(what: str, normalized_shape: Any, *each: Tensor | None) -> None:
    """Refuse weights that are not one number for each of the elements that are normalized."""
    for w in each:
        if w is not None and w._data.shape != tuple(normalized_shape):
            raise errors.wrong_shape(
                f"{what}(): expected weight and bias of shape {list(normalized_shape)}; got "
                f"{list(w.shape)}"
            )


@function("layer_norm")
@in_half_precision
def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """The last dimensions brought to mean 0 and variance 1."""
    check_last("layer_norm", input, normalized_shape)
    check_weights("layer_norm", normalized_shape, weight, bias)
    return layer_row.apply(input, weight, bias, len(normalized_shape), eps)


def _normalized(x: Any, dims: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    """An array or a tensor less its mean over some dimensions, over its deviation; and one over
    that. In half precision the squares may overflow, and so are float32."""
    if x.dtype is float16 or x.dtype == np.float16:
        out, scale = _normalized(_as(x, float32), dims, eps)
        return _as(out, float16), _as(scale, float16)
    centred = x - mean_dims(x, dims, True)
    scale = rsqrt(mean_dims(centred * centred, dims, True) + eps)
    return centred * scale, scale


def _as(x: Any, dtype: DType) -> Any:
    return x.to(dtype) if isinstance(x, Tensor) else astype(x, np.dtype(dtype.name))


def _last(x: Any, n: int) -> tuple[int, ...]:
    return tuple(range(x.ndim - n, x.ndim))


def _layer(x: Any, weight: Any, bias: Any, n: int, eps: float) -> Any:
    out, _ = _normalized(x, _last(x, n), eps)
    if weight is not None:
        out = out * weight
    return out if bias is None else out + bias


def _layer_rule(g: Any, x: Any, weight: Any, n: int, eps: float) -> Any:
    """The gradient of the input, through the mean and the deviation."""
    return _centred_gradient(g if weight is None else g * weight, x, _last(x, n), eps)


layer_row = op(
    "native_layer_norm(x, weight, bias, /, n, eps)",
    _layer,
    x=_layer_rule,
    weight=lambda g, x, n, eps: sum_to(
        g * _normalized(x, _last(x, n), eps)[0], x.shape[x.ndim - n :]
    ),
    bias=lambda g, x_shape, n: sum_to(g, x_shape[len(x_shape) - n :]),
)


@function("rms_norm")
def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """The last dimensions divided by the root of their mean square.

    Raises:
        RuntimeError: the last dimensions are not those that are to be normalized.
    """
    check_last("rms_norm", input, normalized_shape)
    check_weights("rms_norm", normalized_shape, weight)
    dims = tuple(range(-len(normalized_shape), 0))
    small = float(np.finfo(input._data.dtype).eps) if eps is None else eps
    return over_root_mean_square(input, weight, dims, small)


@in_wider
def over_root_mean_square(
    input: Tensor, weight: Tensor | None, dims: tuple[int, ...], eps: float
) -> Tensor:
    """Divided by the root of the mean square, times a weight."""
    out = input * ((input**2).mean(dims, keepdim=True) + eps).rsqrt()
    return out if weight is None else out * weight


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divided by the norm along a dimension."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


@function("group_norm")
@in_half_precision
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Groups of channels brought to mean 0 and variance 1.

    Raises:
        RuntimeError: the channels cannot be divided into that many groups.
    """
    if input._data.shape[1] % num_groups:
        raise errors.wrong_shape(
            "group_norm(): num_groups must divide the channels, dimension 1; got shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    check_channels(input, weight, bias)
    return group_row.apply(input, weight, bias, num_groups, eps)


def check_channels(input: Tensor, *each: Tensor | None) -> None:
    """Refuse what has not one number for each channel."""
    c = input._data.shape[1]
    for w in each:
        if w is not None and w._data.shape != (c,):
            raise errors.wrong_shape(
                f"expected weight, bias and running estimates of shape [{c}], one number for each "
                f"channel; got {list(w.shape)}"
            )


def _grouped(x: Any, groups: int) -> Any:
    n, c, *rest = x.shape
    return x.reshape((n, groups, math.prod(rest, start=c // groups)))


def _by_group(x: Any, groups: int, eps: float) -> Any:
    return _normalized(_grouped(x, groups), (2,), eps)[0].reshape(x.shape)


def _group_rule(g: Any, x: Any, weight: Any, groups: int, eps: float) -> Any:
    """The gradient of the input, through the means and the deviations of its groups."""
    rows = _grouped(_scaled(g, weight), groups)
    return _centred_gradient(rows, _grouped(x, groups), (2,), eps).reshape(x.shape)


group_row = op(
    "native_group_norm(x, weight, bias, /, groups, eps)",
    lambda x, weight, bias, groups, eps: _affine(_by_group(x, groups, eps), weight, bias),
    x=_group_rule,
    weight=lambda g, x, groups, eps: _summed(g * _by_group(x, groups, eps)),
    bias=lambda g: _summed(g),
)


@function("instance_norm")
@in_half_precision
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel of each sample brought to mean 0 and variance 1: its own, or those of the
    running estimates, which otherwise move towards the mean over the samples.

    Raises:
        ValueError: only one value per channel.
    """
    n, c, *rest = input._data.shape
    rows = input.reshape(1, n * c, *rest)
    mean, var, scale, shift = (
        p if p is None else p.repeat(n) for p in (running_mean, running_var, weight, bias)
    )
    out = batch_norm(rows, mean, var, scale, shift, use_input_stats, momentum, eps)
    if use_input_stats:
        for kept, moved in ((running_mean, mean), (running_var, var)):
            if kept is not None and moved is not None:
                kept._data[...] = moved._data.reshape((n, c)).mean(0)
                kept._vc[0] += 1
    return out.view(input._data.shape)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divided by a power of the mean square over neighbouring channels.

    Raises:
        ValueError: less than three dimensions.
    """
    if input._data.ndim < 3:
        raise errors.wrong_value(
            "local_response_norm(): expected at least 3 dimensions, samples and channels first; "
            f"got shape {list(input.shape)}"
        )
    return over_neighbours(input, size, alpha, beta, k)


@in_wider
def over_neighbours(input: Tensor, size: int, alpha: float, beta: float, k: float) -> Tensor:
    """Divided by a power of the mean square over neighbouring channels."""
    squares = input * input
    lead, rest = size // 2, (size - 1) // 2
    c = input._data.shape[1]
    total = wrap(zeros(input._data.shape, input._data.dtype, input._data))
    for shift in range(-lead, rest + 1):
        a, b = max(0, shift), min(c, c + shift)
        if b > a:
            part = squares.narrow(1, a, b - a)
            total = total + _placed(part, 1, a - shift, c)
    return input / (total / size * alpha + k) ** beta


def _placed(x: Tensor, dim: int, start: int, size: int) -> Tensor:
    shape = (*x._data.shape[:dim], size, *x._data.shape[dim + 1 :])
    return _place(x, shape, slice_, dim, slice(start, start + x._data.shape[dim]))  # type: ignore[no-any-return]
