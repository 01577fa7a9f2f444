"""Window functions, by which signals are faded in and out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import DType
from ..tensor import Tensor
from .create import default, made
from .registry import function

__all__ = ["window"]


def cosine(angle: Any) -> Any:
    """The cosine, rounded once."""
    return np.cos(angle.astype(np.float64)).astype(angle.dtype)


def raised_cosine(k: Any, alpha: float, beta: float) -> Any:
    """alpha minus beta times one turn of the cosine."""
    return cosine(k * k.dtype.type(2 * math.pi / (len(k) - 1))) * -beta + alpha


def blackman(k: Any) -> Any:
    """Two cosines, of one turn and of two."""
    angle = k * k.dtype.type(math.pi / (len(k) - 1))
    return cosine(angle * 4) * 0.08 - cosine(angle * 2) * 0.5 + 0.42


def bartlett(k: Any) -> Any:
    """A triangle."""
    rising = k * k.dtype.type(2 / (len(k) - 1))
    return np.where(np.arange(len(k)) <= (len(k) - 1) // 2, rising, 2 - rising)


def kaiser(k: Any, beta: float) -> Any:
    """A Bessel function of a half circle."""
    middle = (len(k) - 1) / 2
    side = (k.astype(np.float64) - middle) / middle
    return np.i0(beta * np.sqrt(np.maximum(1 - side * side, 0))) / np.i0(beta)


def window(name: str, shape: Any, **options: float) -> None:
    """``torch.NAME(window_length, periodic=True, ...)``; ``shape`` gives the values of the numbers
    0, 1, 2, ... and the options, which are parameters with these defaults."""

    def fn(
        window_length: int,
        periodic: bool = True,
        *args: Any,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
        **named: Any,
    ) -> Tensor:
        kind = default(dtype)
        if np.dtype(getattr(kind, "dtype", kind)).kind != "f":
            raise RuntimeError(f"{name} expects floating point dtypes, got: {dtype}")
        if window_length < 0:
            raise RuntimeError(f"{name} requires non-negative window_length, got {window_length}")
        if len(args) > len(options) or named.keys() - options.keys():
            raise TypeError(
                f"{name}() takes window_length, periodic and {sorted(options)}; got {args} {named}"
            )
        chosen = {**options, **dict(zip(options, args, strict=False)), **named}
        # a periodic window is the first part of a symmetric one that is longer by one
        numbers = np.arange(window_length + bool(periodic), dtype=getattr(kind, "dtype", kind))
        values = shape(numbers, **chosen)[:window_length] if window_length > 1 else numbers * 0 + 1
        return made(values[:window_length], requires_grad, kind, device)

    fn.__name__ = fn.__qualname__ = name
    fn.__doc__ = f"{name}: of this length; as one period of a longer signal unless periodic=False."
    function(name)(fn)


window("hann_window", lambda k: raised_cosine(k, 0.5, 0.5))
window("hamming_window", raised_cosine, alpha=0.54, beta=0.46)
window("blackman_window", blackman)
window("bartlett_window", bartlett)
window("kaiser_window", kaiser, beta=12.0)
