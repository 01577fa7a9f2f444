"""Discrete Fourier transforms, made of three rows: of complex numbers, from real ones to half a
spectrum, and back from half a spectrum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import astype, beside, full, has_values, is_host, zeros
from ..backend.dtypes import BFLOAT16
from ..backend.libraries import library_of
from ..graph.row import LINEAR
from ..tensor.tensor import Tensor, wrap
from .choose import data_of
from .complex_parts import real
from .core import cast_to, conj
from .dims import wrap_dim
from .gather import padded_to
from .op import Op, op
from .registry import FFT, FUNCTIONS, function

__all__ = ["stft"]


def _floating(arrays: Any) -> None:
    """Refuse half precision, which no library transforms."""
    if arrays[0].dtype in (BFLOAT16, np.float16):
        raise errors.unsupported_dtype("fft", arrays[0].dtype)


def ready(x: Any) -> Any:
    """An array whose device is the one that this thread works on. Without it, transforms in another
    thread failed on a GPU (CUFFT_EXEC_FAILED), though not every time."""
    if has_values(x) and not is_host(x):
        library_of(x).device(x).use()
    return x


def _c2c(x: Any, dims: Any, scale: float, forward: bool) -> Any:
    if not x.size:
        return x.copy()
    if forward:
        return np.fft.fftn(ready(x), axes=dims) * astype_scale(scale, x)
    return np.fft.ifftn(ready(x), axes=dims, norm="forward") * astype_scale(scale, x)


def astype_scale(scale: float, x: Any) -> Any:
    """A factor in the real dtype of an array's elements."""
    return scale if isinstance(scale, int) else x.real.dtype.type(scale)


c2c: Op = op(
    "fft_c2c(x, /, dims, scale, forward)",
    _c2c,
    LINEAR,
    check=_floating,
    x=lambda g, dims, scale, forward: c2c(g, dims, scale, not forward),
)


def _r2c_rule(g: Any, x_shape: Any, dim: int, scale: float) -> Any:
    whole = (*g.shape[:dim], x_shape[dim], *g.shape[dim + 1 :])
    return real(c2c(padded_to(g, whole), (dim,), scale, False))


r2c: Op = op(
    "fft_r2c(x, /, dim, scale)",
    lambda x, dim, scale: np.fft.rfft(ready(x), axis=dim) * astype_scale(scale, x),
    LINEAR,
    check=_floating,
    x=_r2c_rule,
)


def _c2r_rule(g: Any, dim: int, scale: float) -> Any:
    """As the transform of a real dimension, with what stands for two elements counted twice."""
    n = g.shape[dim]
    host_counts = np.full(n // 2 + 1, 2.0)
    host_counts[0] = 1
    if n % 2 == 0:
        host_counts[-1] = 1
    counts = beside(host_counts.astype(data_of(g).dtype), data_of(g))
    counts = counts.reshape((-1,) + (1,) * (g.ndim - 1 - dim))
    return r2c(g, dim, scale) * (wrap(counts) if isinstance(g, Tensor) else counts)


c2r: Op = op(
    "fft_c2r(x, /, dim, scale, n)",
    lambda x, dim, scale, n: (
        np.fft.irfft(ready(x), n, dim, norm="forward") * astype_scale(scale, x)
    ),
    LINEAR,
    check=_floating,
    x=_c2r_rule,
)


def factor(what: str, norm: str | None, count: int, forward: bool) -> float:
    """What a transform of so many elements is multiplied by.

    Raises:
        RuntimeError: another norm.
    """
    if norm not in (None, "backward", "forward", "ortho"):
        raise errors.wrong_value(
            f"fft.{what}(): Invalid normalization mode: {norm!r}. Use 'forward', 'backward' or "
            "'ortho'.",
            RuntimeError,
        )
    if norm == "ortho":
        return 1 / math.sqrt(count)
    return 1 / count if (norm == "forward") == forward else 1


def resized(x: Tensor, dim: int, n: int) -> Tensor:
    """A dimension cut, or filled up with zeros."""
    size = x._data.shape[dim]
    if n < size:
        return x.narrow(dim, 0, n)
    return padded_to(x, (*x._data.shape[:dim], n, *x._data.shape[dim + 1 :]))  # type: ignore[no-any-return]


def as_complex(x: Tensor) -> Tensor:
    """The tensor with complex elements; whole numbers become the default floating ones first."""
    x = as_floating(x)
    if x.dtype.is_complex:
        return x
    _floating([x._data])
    return cast_to(x, np.result_type(x._data.dtype, np.complex64))  # type: ignore[no-any-return]


def as_floating(x: Tensor) -> Tensor:
    """The tensor with real or complex elements."""
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return x
    return x + wrap(astype(np.zeros((), np.float32), np.float32)) * 0.0


def checked(what: str, n: int) -> int:
    """Refuse a transform of no elements."""
    if n < 1:
        raise errors.wrong_value(
            f"fft.{what}(): Invalid number of data points ({n}) specified. At least 1 is needed.",
            RuntimeError,
        )
    return n


def arranged(
    what: str, x: Tensor, s: Any, dim: Any, least: int = 0
) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
    """The dimensions to transform, and the sizes that they are to have, None for their own."""
    if dim is None:
        count = x.ndim if s is None else len(s)
        dims = tuple(range(x.ndim - count, x.ndim))
    else:
        dims = tuple(wrap_dim(d, x.ndim) for d in ([dim] if isinstance(dim, int) else dim))
    if len(set(dims)) < len(dims):
        raise errors.wrong_value(f"fft.{what}(): FFT dims must be unique, got {dim}", RuntimeError)
    if len(dims) < least:
        raise errors.wrong_value(f"fft.{what}(): must transform at least one axis", RuntimeError)
    sizes = (None,) * len(dims) if s is None else tuple(None if n == -1 else n for n in s)
    if len(sizes) != len(dims):
        raise errors.wrong_shape(
            f"fft.{what}(): dim and s must have the same length, got {len(dims)} and {len(sizes)}"
        )
    return dims, sizes


def whole(what: str, x: Tensor, s: Any, dim: Any, norm: str | None, forward: bool) -> Tensor:
    """A transform of complex numbers over any dimensions."""
    x = as_complex(x)
    dims, sizes = arranged(what, x, s, dim)
    for d, n in zip(dims, sizes, strict=True):
        x = resized(x, d, checked(what, x._data.shape[d] if n is None else n))
    if not dims:
        return x
    count = math.prod(x._data.shape[d] for d in dims)
    return c2c.apply(x, dims, factor(what, norm, count, forward), forward)


def to_half(what: str, x: Tensor, s: Any, dim: Any, norm: str | None, forward: bool) -> Tensor:
    """The half spectrum of real numbers over any dimensions, the last of which is halved."""
    if x.dtype.is_complex:
        raise errors.wrong_dtype(
            f"fft.{what}(): expects a real input tensor, but got {x.dtype}. Use fft() for complex "
            "numbers."
        )
    x = as_floating(x)
    dims, sizes = arranged(what, x, s, dim, 1)
    for d, n in zip(dims, sizes, strict=True):
        x = resized(x, d, checked(what, x._data.shape[d] if n is None else n))
    scale = factor(what, norm, math.prod(x._data.shape[d] for d in dims), forward)
    half = r2c.apply(x, dims[-1], scale)
    if not forward:
        half = conj(half)
    return c2c.apply(half, dims[:-1], 1, forward) if dims[:-1] else half


def from_half(what: str, x: Tensor, s: Any, dim: Any, norm: str | None, forward: bool) -> Tensor:
    """The real numbers whose half spectrum is given."""
    x = as_complex(x)
    dims, sizes = arranged(what, x, s, dim, 1)
    last = sizes[-1]
    n = checked(what, 2 * (x._data.shape[dims[-1]] - 1) if last is None else last)
    wanted = [
        x._data.shape[d] if size is None else size for d, size in zip(dims, sizes, strict=True)
    ]
    for d, size in zip(dims, [*wanted[:-1], n // 2 + 1], strict=True):
        x = resized(x, d, checked(what, size))
    scale = factor(what, norm, math.prod(wanted[:-1]) * n, forward)
    if dims[:-1]:
        x = c2c.apply(x, dims[:-1], 1, forward)
    return c2r.apply(conj(x) if forward else x, dims[-1], scale, n)


TRANSFORMS = {
    "fft": (whole, True), "ifft": (whole, False), "rfft": (to_half, True),
    "irfft": (from_half, False), "hfft": (from_half, True), "ihfft": (to_half, False),
}  # fmt: skip


def _define(name: str, transform: Any, forward: bool) -> None:
    """A transform over one dimension, over two, and over any."""

    def one(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
        return transform(name, input, None if n is None else (n,), (dim,), norm, forward)  # type: ignore[no-any-return]

    def two(
        input: Tensor,
        s: Sequence[int] | None = None,
        dim: Sequence[int] = (-2, -1),
        norm: str | None = None,
    ) -> Tensor:
        return transform(name + "2", input, s, dim, norm, forward)  # type: ignore[no-any-return]

    def several(
        input: Tensor,
        s: Sequence[int] | None = None,
        dim: Sequence[int] | None = None,
        norm: str | None = None,
    ) -> Tensor:
        return transform(name + "n", input, s, dim, norm, forward)  # type: ignore[no-any-return]

    one.__doc__ = f"{SUMMARIES[name]} of one dimension."
    two.__doc__ = f"{SUMMARIES[name]} of two dimensions."
    several.__doc__ = f"{SUMMARIES[name]} of several dimensions."
    FFT.update({name: one, f"{name}2": two, f"{name}n": several})


SUMMARIES = {
    "fft": "The discrete Fourier transform",
    "ifft": "The inverse discrete Fourier transform",
    "rfft": "Half of the Hermitian discrete Fourier transform of real numbers",
    "irfft": "The real inverse of a Hermitian discrete Fourier transform, of which half is given",
    "hfft": "The real discrete Fourier transform of a Hermitian signal, of which half is given",
    "ihfft": "Half of the Hermitian inverse discrete Fourier transform of real numbers",
}
for _name, (_transform, _forward) in TRANSFORMS.items():
    _define(_name, _transform, _forward)


def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequencies of a transform put in order, with zero in the middle."""
    dims = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    return FUNCTIONS["roll"](input, [input._data.shape[d] // 2 for d in dims], list(dims))  # type: ignore[no-any-return]


def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequencies put back as a transform has them, zero first."""
    dims = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    return FUNCTIONS["roll"](input, [(input._data.shape[d] + 1) // 2 for d in dims], list(dims))  # type: ignore[no-any-return]


FFT.update(fftshift=fftshift, ifftshift=ifftshift)


def padded(x: Tensor, width: int, mode: str) -> Tensor:
    """The last dimension with as much on either side."""
    n = x._data.shape[-1]
    if mode == "constant":
        sides = wrap(zeros((*x._data.shape[:-1], width), x._data.dtype, x._data))
        return FUNCTIONS["cat"]([sides, x, sides], -1)  # type: ignore[no-any-return]
    if mode not in ("reflect", "replicate", "circular"):
        raise errors.wrong_value(f"Unrecognised padding mode {mode}", NotImplementedError)
    if mode != "replicate" and width > n - (mode == "reflect"):
        raise errors.wrong_shape(
            f"stft(): the padding of {width} must be smaller than the signal, which has {n} elements"
        )
    at = np.arange(-width, n + width)
    if mode == "reflect":
        at = n - 1 - np.abs(n - 1 - np.abs(at))
    else:
        at = at % n if mode == "circular" else np.clip(at, 0, n - 1)
    return FUNCTIONS["index_select"](x, x.ndim - 1, wrap(beside(at, x._data)))  # type: ignore[no-any-return]


@function("stft")
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """The transforms of overlapping windows of a signal, as columns.

    Raises:
        RuntimeError: the shapes do not fit, or ``return_complex`` is missing for a real signal.
    """
    if return_complex is None and not input.dtype.is_complex:
        raise errors.wrong_value(
            "stft requires the return_complex parameter be given for real inputs. Pass "
            "return_complex=True.",
            RuntimeError,
        )
    if input.ndim not in (1, 2):
        raise errors.wrong_shape(
            f"stft(): expected a 1D or 2D tensor, found shape {list(input.shape)}"
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    x = padded(input, n_fft // 2, pad_mode) if center else input
    if not 0 < n_fft <= x._data.shape[-1] or hop <= 0:
        raise errors.wrong_shape(
            f"stft(): expected 0 < n_fft <= {x._data.shape[-1]} and a positive hop_length, got "
            f"{n_fft} and {hop}"
        )
    frames = x.unfold(-1, n_fft, hop)
    if window is not None or win_length is not None:
        frames = frames * centred_window(window, win_length or n_fft, n_fft, x)
    half = not input.dtype.is_complex if onesided is None else onesided
    norm = "ortho" if normalized else None
    columns: Tensor = FFT["rfft" if half else "fft"](frames, norm=norm).transpose(-1, -2)
    if return_complex is False:
        columns = FUNCTIONS["view_as_real"](columns)
    return columns


def centred_window(window: Tensor | None, length: int, n_fft: int, x: Tensor) -> Tensor:
    """A window in the middle of zeros, of as many elements as a transform."""
    if window is None:
        window = wrap(full(length, 1, x._data.real.dtype, x._data))
    if window._data.shape != (length,):
        raise errors.wrong_shape(
            f"stft(): expected a 1D window tensor of size equal to win_length={length}, found shape "
            f"{list(window.shape)}"
        )
    before = (n_fft - length) // 2
    lengths = (before, n_fft - length - before)
    sides = [wrap(zeros(k, window._data.dtype, window._data)) for k in lengths]
    return FUNCTIONS["cat"]([sides[0], window, sides[1]])  # type: ignore[no-any-return]
