"""Formulas of discrete Fourier transforms, written from their definition."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def resized(x: Array, n: int, axis: int = -1) -> Array:
    """A dimension cut to `n` elements, or filled up to them with zeros."""
    kept = np.moveaxis(x, axis, -1)[..., :n]
    out = np.zeros((*kept.shape[:-1], n), np.result_type(x, float))
    out[..., : kept.shape[-1]] = kept
    return np.moveaxis(out, -1, axis)


def dft(x: Array, axis: int = -1, sign: int = -1) -> Array:
    """The sums of x[j] exp(sign 2 pi i j k / n) along a dimension of size n, for each k below n."""
    n = np.shape(x)[axis]
    steps = np.arange(n)
    waves = np.exp(sign * 2j * np.pi * np.outer(steps, steps) / n)
    return np.moveaxis(np.moveaxis(x, axis, -1) @ waves, -1, axis)


def half(x: Array, axis: int = -1) -> Array:
    """The first n // 2 + 1 elements of a dimension, which determine a Hermitian one."""
    return np.take(x, np.arange(np.shape(x)[axis] // 2 + 1), axis=axis)


def mirrored(x: Array, n: int, axis: int = -1) -> Array:
    """The Hermitian dimension of size n of which `x` is the first half: x[n - k] = conj(x[k])."""
    first = np.moveaxis(resized(x, n // 2 + 1, axis), axis, -1)
    rest = np.conj(first[..., 1 : (n + 1) // 2])[..., ::-1]
    return np.moveaxis(np.concatenate([first, rest], axis=-1), -1, axis)


def frames(x: Array, length: int, hop: int) -> Array:
    """The overlapping windows of the last dimension, as columns of a matrix."""
    count = 1 + (np.shape(x)[-1] - length) // hop
    return np.stack([x[..., k * hop : k * hop + length] for k in range(count)], axis=-1)


FUNCTIONS = (resized, dft, half, mirrored, frames)
POWERS = {"dft": 2}
"""Functions whose cost grows with a power of their operand's size."""
