"""Convolutions and transposed convolutions over one, two and three dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..errors import caution
from ..graph.row import MULTILINEAR
from ..ops import core
from ..ops.fused import fused
from ..ops.op import Op, op
from ..ops.registry import function
from ..tensor.tensor import Tensor
from .resizing import pad
from .windows import fold_windows, numbers, unfold_windows

__all__ = [
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
]  # fmt: skip


def convolution(dims: int) -> Callable[..., Tensor]:
    """The convolution over so many dimensions."""
    name = f"conv{dims}d"

    def run(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        check_ranks(name, input, weight, dims)
        steps, apart = numbers(stride, dims, "stride"), numbers(dilation, dims, "dilation")
        if isinstance(padding, str):
            input = padded_as(name, input, weight, padding, steps, apart)
            padding = 0
        around = numbers(padding, dims, "padding")
        check_steps(name, steps, around, apart)
        if input._data.ndim == dims + 1:
            batch = input.unsqueeze(0)
            return run(batch, weight, bias, steps, around, apart, groups).squeeze(0)
        check_channels(name, input, weight, bias, groups)
        if bias is None:
            return conv_row.apply(input, weight, steps, around, apart, groups)
        return biased(input, weight, bias, steps, around, apart, groups)  # type: ignore[no-any-return]

    run.__name__ = run.__qualname__ = name
    run.__doc__ = (
        f"Cross-correlation of (N, C, ...) with (O, C / groups, ...), over {dims} dimension(s)."
    )
    return function(name)(run)


def transposed_convolution(dims: int) -> Callable[..., Tensor]:
    """The transpose of the convolution over so many dimensions."""
    name = f"conv_transpose{dims}d"

    def run(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Tensor:
        check_ranks(name, input, weight, dims)
        steps, apart = numbers(stride, dims, "stride"), numbers(dilation, dims, "dilation")
        around = numbers(padding, dims, "padding")
        more = numbers(output_padding, dims, "output_padding")
        check_steps(name, steps, around, apart)
        if input._data.ndim == dims + 1:
            batch = input.unsqueeze(0)
            return run(batch, weight, bias, steps, around, more, groups, apart).squeeze(0)
        check_transposed(name, input, weight, bias, groups)
        if any(m >= max(s, d) for m, s, d in zip(more, steps, apart, strict=True)):
            raise errors.wrong_shape(
                f"{name}(): output padding must be smaller than either stride or dilation; got "
                f"{list(more)}, {list(steps)} and {list(apart)}"
            )
        kernel = weight._data.shape[2:]
        sizes = [
            (n - 1) * s - 2 * p + d * (k - 1) + m + 1
            for n, s, p, d, k, m in zip(
                input._data.shape[2:], steps, around, apart, kernel, more, strict=True
            )
        ]
        if min(sizes) < 1:
            raise errors.wrong_shape(
                f"{name}(): the result would have size {sizes}; give less padding or a larger input"
            )
        shape = (input._data.shape[0], weight._data.shape[1] * groups, *sizes)
        return transposed(input, weight, bias, shape, steps, around, apart, groups)  # type: ignore[no-any-return]

    run.__name__ = run.__qualname__ = name
    run.__doc__ = f"The transpose of ``conv{dims}d``, with weights (C, O / groups, ...)."
    return function(name)(run)


# -- what is refused -------------------------------------------------------------------------------


def check_ranks(name: str, input: Tensor, weight: Tensor, dims: int) -> None:
    """Refuse operands of other numbers of dimensions, or of different dtypes."""
    if weight._data.ndim != dims + 2 or input._data.ndim not in (dims + 1, dims + 2):
        raise errors.wrong_shape(
            f"{name}(): expected a {dims + 1}D or {dims + 2}D input and {dims + 2}D weights; got "
            f"shapes {list(input.shape)} and {list(weight.shape)}"
        )
    if input.dtype is not weight.dtype:
        raise errors.wrong_dtype(
            f"{name}(): input and weight must be of one dtype; got {input.dtype} and "
            f"{weight.dtype}. Convert one of them with .to()."
        )


def check_steps(name: str, stride: Any, padding: Any, dilation: Any) -> None:
    """Refuse windows that do not move, and negative padding."""
    if min(stride) < 1 or min(dilation) < 1:
        raise errors.wrong_value(
            f"{name}(): stride and dilation must be positive; got {list(stride)} and "
            f"{list(dilation)}",
            RuntimeError,
        )
    if min(padding) < 0:
        raise errors.wrong_value(
            f"{name}(): negative padding is not supported; got {list(padding)}", RuntimeError
        )


def check_bias(name: str, bias: Tensor | None, channels: int) -> None:
    """Refuse a bias that is not one number for each output channel."""
    if bias is not None and bias._data.shape != (channels,):
        raise errors.wrong_shape(
            f"{name}(): expected a bias of shape [{channels}], one for each output channel; got "
            f"{list(bias.shape)}"
        )


def check_channels(
    name: str, input: Tensor, weight: Tensor, bias: Tensor | None, groups: int
) -> None:
    """Refuse channels that the weights and the groups do not fit."""
    shape, out = weight._data.shape, weight._data.shape[0]
    if groups < 1 or out % groups:
        raise errors.wrong_shape(
            f"{name}(): the output channels must be divisible by groups; got weight of size "
            f"{list(shape)} and groups={groups}"
        )
    if input._data.shape[1] != shape[1] * groups:
        raise errors.wrong_shape(
            f"{name}(): given groups={groups}, weight of size {list(shape)}, expected "
            f"input{list(input.shape)} to have {shape[1] * groups} channels, but got "
            f"{input._data.shape[1]} channels instead"
        )
    check_bias(name, bias, out)


def check_transposed(
    name: str, input: Tensor, weight: Tensor, bias: Tensor | None, groups: int
) -> None:
    """The same for a transposed convolution."""
    channels = weight._data.shape[0]
    if input._data.shape[1] != channels or groups < 1 or channels % groups:
        raise errors.wrong_shape(
            f"{name}(): given transposed=1, groups={groups}, weight of size "
            f"{list(weight.shape)}, expected input{list(input.shape)} to have {channels} channels, "
            f"divisible by groups, but got {input._data.shape[1]} channels instead"
        )
    check_bias(name, bias, weight._data.shape[1] * groups)


def padded_as(
    name: str, input: Tensor, weight: Tensor, padding: str, stride: Any, dilation: Any
) -> Tensor:
    """The input, padded for ``padding="same"`` so that the output has its size.

    Raises:
        RuntimeError: another word, or a stride with "same".
    """
    if padding == "valid":
        return input
    if padding != "same" or max(stride) > 1:
        raise errors.wrong_value(
            f"{name}(): padding must be 'valid', numbers, or at stride 1 'same'; got {padding!r} "
            f"and stride {list(stride)}",
            RuntimeError,
        )
    kernel = weight._data.shape[2:]
    totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    if any(total % 2 for total in totals):
        caution(
            "padding='same' needs one more element on one side for this kernel and "
            "dilation, so a padded copy of the input is made."
        )
    return pad(input, [p for total in reversed(totals) for p in (total // 2, total - total // 2)])


# -- the operations --------------------------------------------------------------------------------


def with_bias(out: Tensor, bias: Tensor | None) -> Tensor:
    """The bias of each channel added."""
    return out if bias is None else out + bias.reshape(-1, *(1,) * (out._data.ndim - 2))


def _biased(
    x: Tensor, w: Tensor, bias: Tensor | None, stride: Any, padding: Any, dilation: Any, groups: int
) -> Tensor:
    return with_bias(conv_row.apply(x, w, stride, padding, dilation, groups), bias)


def _transposed(
    x: Tensor,
    w: Tensor,
    bias: Tensor | None,
    shape: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    return with_bias(conv_input.apply(x, w, shape, stride, padding, dilation, groups), bias)


biased = fused("convolution", _biased)
transposed = fused("convolution", _transposed)


def grouped(x: Any, groups: int, dims: int) -> Any:
    """Windows (N, C, *kernel, *places) as a matrix for each batch and group."""
    n, c = x.shape[:2]
    kernel, places = x.shape[2 : 2 + dims], x.shape[2 + dims :]
    return x.reshape(n, groups, c // groups * math.prod(kernel), math.prod(places))


def weights_of(w: Any, groups: int) -> Any:
    """Weights as a matrix for each group."""
    o, c = w.shape[:2]
    return w.reshape(groups, o // groups, c * math.prod(w.shape[2:]))


def channels_of(g: Any, groups: int) -> Any:
    """An output as a matrix for each batch and group."""
    n, o = g.shape[:2]
    return g.reshape(n, groups, o // groups, math.prod(g.shape[2:]))


def first_places(cols: Any, g: Any) -> Any:
    """Of all windows those that an output has: there are more where it was made with an output
    padding of a whole stride."""
    return cols[(..., *(slice(n) for n in g.shape[2:]))]


def _conv(x: Any, w: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    cols = unfold_windows(x, w.shape[2:], stride, padding, dilation)
    dims = len(stride)
    out = np.matmul(weights_of(w, groups), grouped(cols, groups, dims))
    return out.reshape(x.shape[0], w.shape[0], *cols.shape[2 + dims :])


def _conv_part(
    x: Any, w: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    out = _conv(x, w, stride, padding, dilation, groups)
    return out[(..., *(slice(n) for n in size[2:]))]


def _conv_input(
    g: Any, w: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    cols = np.matmul(weights_of(w, groups).swapaxes(-1, -2), channels_of(g, groups))
    cols = cols.reshape(g.shape[0], size[1], *w.shape[2:], *g.shape[2:])
    return fold_windows(cols, size, stride, padding, dilation)


def _conv_weight(
    g: Any, x: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    cols = first_places(unfold_windows(x, size[2:], stride, padding, dilation), g)
    a = grouped(cols, groups, len(stride))
    return np.matmul(channels_of(g, groups), a.swapaxes(-1, -2)).sum(0).reshape(size)


conv_row = op(
    "convolution(x, y, /, stride, padding, dilation, groups)",
    _conv,
    MULTILINEAR,
    x=lambda g, x_shape, y, stride, padding, dilation, groups: conv_input(
        g, core.conj(y), tuple(x_shape), stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_weight(
        g, core.conj(x), tuple(y_shape), stride, padding, dilation, groups
    ),
)
conv_part = op(
    "convolution_part(x, y, /, size, stride, padding, dilation, groups)",
    _conv_part,
    MULTILINEAR,
    x=lambda g, x_shape, y, stride, padding, dilation, groups: conv_input(
        g, core.conj(y), tuple(x_shape), stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_weight(
        g, core.conj(x), tuple(y_shape), stride, padding, dilation, groups
    ),
)
conv_input: Op = op(
    "convolution_input(x, y, /, size, stride, padding, dilation, groups)",
    _conv_input,
    MULTILINEAR,
    x=lambda g, x_shape, y, stride, padding, dilation, groups: conv_part(
        g, core.conj(y), tuple(x_shape), stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_weight(
        core.conj(x), g, tuple(y_shape), stride, padding, dilation, groups
    ),
)
conv_weight: Op = op(
    "convolution_weight(x, y, /, size, stride, padding, dilation, groups)",
    _conv_weight,
    MULTILINEAR,
    x=lambda g, x_shape, y, stride, padding, dilation, groups: conv_part(
        core.conj(y), g, tuple(x_shape), stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_input(
        core.conj(x), g, tuple(y_shape), stride, padding, dilation, groups
    ),
)

conv1d, conv2d, conv3d = (convolution(dims) for dims in (1, 2, 3))
conv_transpose1d, conv_transpose2d, conv_transpose3d = (
    transposed_convolution(dims) for dims in (1, 2, 3)
)
