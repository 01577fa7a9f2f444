"""Numeric kernels that array namespaces lack, for arrays of any floating dtype."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .base import astype
from .bfloat16 import BFloat16Array, stored
from .devices import library_of

__all__ = ["digamma", "erf", "erfc", "erfinv", "lgamma", "sigmoid", "softplus"]

Array = Any


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)); where exp overflows this is 0, as it should be."""
    return 1 / (1 + np.exp(-x))


def by_library(name: str) -> Callable[[Any], Any]:
    """A kernel for NumPy arrays that hands arrays of a device to a function of their library."""

    def decorated(kernel: Any) -> Any:
        def run(*args: Array) -> Array:
            x = args[-1]
            if isinstance(x, (np.ndarray, np.generic)):
                return kernel(*args)
            if type(x) is BFloat16Array:
                return stored(run(*(getattr(a, "values", a) for a in args)))
            return library_of(x).function(name, *args)

        return functools.wraps(kernel)(run)

    return decorated


def _elementwise(fn: Any) -> Any:
    def kernel(x: Array) -> Array:
        flat = np.asarray(x, dtype=np.float64).ravel()
        out = np.array([fn(v) for v in flat.tolist()], dtype=np.float64)
        return astype(out.reshape(np.shape(x)), x.dtype)

    return kernel


def _lgamma(v: float) -> float:
    if math.isnan(v):
        return v
    if math.isinf(v) or (v <= 0 and v == math.floor(v)):
        return math.inf
    return math.lgamma(v)


erf = by_library("erf")(_elementwise(math.erf))
erfc = by_library("erfc")(_elementwise(math.erfc))
lgamma = by_library("gammaln")(_elementwise(_lgamma))


@by_library("erfinv")
def erfinv(x: Array) -> Array:
    """The inverse of erf: a rational start, then two Newton steps in double precision."""
    y = np.asarray(x, dtype=np.float64)
    with np.errstate(all="ignore"):
        w = -np.log((1 - y) * (1 + y))
        a = 0.147
        t = 2 / (math.pi * a) - w / 2
        z = np.sign(y) * np.sqrt(np.sqrt(t * t + w / a) - t)
        for _ in range(4):
            step = (erf(z) - y) / (2 / math.sqrt(math.pi) * np.exp(-z * z))
            z = z - step / (1 + z * step)
        z = np.where(np.abs(y) == 1, np.copysign(np.inf, y), np.where(np.abs(y) > 1, np.nan, z))
    return astype(z, x.dtype)


@by_library("digamma")
def digamma(x: Array) -> Array:
    """The derivative of lgamma: reflection, recurrence up to 10, then the asymptotic series."""
    v = np.array(x, dtype=np.float64)
    with np.errstate(all="ignore"):
        low = v < 0
        pole = (v <= 0) & (v == np.floor(v))
        r = np.where(low, 1 - v, v)
        total = np.zeros_like(r)
        for _ in range(10):
            small = r < 10
            total = np.where(small, total - 1 / r, total)
            r = np.where(small, r + 1, r)
        i = 1 / (r * r)
        series = i * (1 / 12 - i * (1 / 120 - i * (1 / 252 - i * (1 / 240 - i * (1 / 132)))))
        out = total + np.log(r) - 0.5 / r - series
        out = np.where(low, out - math.pi / np.tan(math.pi * v), out)
        out = np.where(pole, np.where(v == 0, -np.copysign(np.inf, v), np.nan), out)
    return astype(out, x.dtype)


@by_library("polygamma")
def polygamma(n: int, x: Array) -> Array:
    """The n-th derivative of digamma, for n >= 1 and x > 0: recurrence and asymptotic series."""
    v = np.array(x, dtype=np.float64)
    sign = -1.0 if n % 2 == 0 else 1.0
    fact = math.factorial(n)
    total = np.zeros_like(v)
    with np.errstate(all="ignore"):
        for _ in range(15):
            total = total + fact / v ** (n + 1)
            v = v + 1
        bernoulli = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730)
        out = math.factorial(n - 1) / v**n + fact / (2 * v ** (n + 1))
        for k, b in enumerate(bernoulli, 1):
            out = out + b * math.factorial(2 * k + n - 1) / (
                math.factorial(2 * k) * v ** (2 * k + n)
            )
    return astype(sign * (total + out), x.dtype)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), without overflow."""
    return np.logaddexp(x, x.dtype.type(0))
