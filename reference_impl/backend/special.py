"""Kernels of special functions that array namespaces lack, computed in double precision."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .base import astype
from .kernels import by_library, erfc, erfinv, lgamma

__all__ = ["angle", "entr", "erfcx", "i0", "i0e", "i1", "i1e", "log_ndtr", "mvlgamma", "ndtr",
           "ndtri", "xlog1py"]  # fmt: skip

Array = Any
FAR = 30.0
"""From here on the asymptotic series of the Bessel functions is exact to double precision."""


def _bessel(order: int, x: Array) -> Array:
    """exp(-|x|) I_order(x), of order 0 or 1: the power series near zero, else the asymptotic one."""
    v = np.abs(np.asarray(x, dtype=np.float64))
    near = np.minimum(v, FAR)
    term = (near / 2) ** order
    series = term.copy()
    for i in range(1, 80):
        term = term * (near * near / 4) / (i * (i + order))
        series = series + term
    far = np.maximum(v, FAR)
    term = np.ones_like(far)
    tail = term.copy()
    for i in range(1, 16):
        term = term * -(4 * order * order - (2 * i - 1) ** 2) / (i * 8 * far)
        tail = tail + term
    out = np.where(v < FAR, series * np.exp(-near), tail / np.sqrt(2 * math.pi * far))
    return np.where(np.isnan(v), v, np.copysign(out, x) if order else out)


@by_library("i0")
def i0(x: Array) -> Array:
    """The modified Bessel function of order 0."""
    return astype(_bessel(0, x) * np.exp(np.abs(np.asarray(x, np.float64))), x.dtype)


@by_library("i0e")
def i0e(x: Array) -> Array:
    """i0 times exp(-|x|)."""
    return astype(_bessel(0, x), x.dtype)


@by_library("i1")
def i1(x: Array) -> Array:
    """The modified Bessel function of order 1."""
    return astype(_bessel(1, x) * np.exp(np.abs(np.asarray(x, np.float64))), x.dtype)


@by_library("i1e")
def i1e(x: Array) -> Array:
    """i1 times exp(-|x|)."""
    return astype(_bessel(1, x), x.dtype)


@by_library("erfcx")
def erfcx(x: Array) -> Array:
    """exp(x^2) erfc(x): the product, or for large x the asymptotic series."""
    v = np.asarray(x, dtype=np.float64)
    near = np.minimum(v, 25.0)
    far = np.maximum(v, 25.0)
    term = np.ones_like(far)
    tail = term.copy()
    for i in range(1, 8):
        term = term * -(2 * i - 1) / (2 * far * far)
        tail = tail + term
    series = tail / (far * math.sqrt(math.pi))
    return astype(np.where(v < 25.0, np.exp(near * near) * erfc(near), series), x.dtype)


@by_library("ndtr")
def ndtr(x: Array) -> Array:
    """The distribution function of the standard normal."""
    v = np.asarray(x, dtype=np.float64)
    return astype(0.5 * erfc(-v * math.sqrt(0.5)), x.dtype)


@by_library("log_ndtr")
def log_ndtr(x: Array) -> Array:
    """The logarithm of ndtr, without underflow."""
    v = np.asarray(x, dtype=np.float64)
    low = np.minimum(v, -1.0)
    left = np.log(erfcx(-low * math.sqrt(0.5)) / 2) - low * low / 2
    return astype(np.where(v < -1, left, np.log1p(-0.5 * erfc(v * math.sqrt(0.5)))), x.dtype)


@by_library("ndtri")
def ndtri(x: Array) -> Array:
    """The inverse of ndtr: from erfinv, made sharp by Newton steps in the lower tail."""
    p = np.asarray(x, dtype=np.float64)
    tail = np.where(p > 0.5, 1 - p, p)
    z = math.sqrt(2) * erfinv(2 * tail - 1)
    z = np.where(np.isfinite(z), z, -8.0)
    for _ in range(4):
        z = z - (ndtr(z) - tail) / (np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi))
    z = np.where(tail == 0, -np.inf, np.where(tail < 0, np.nan, z))
    return astype(np.where(p > 0.5, -z, z), x.dtype)


@by_library("entr")
def entr(x: Array) -> Array:
    """-x log(x), 0 at zero and minus infinity below."""
    safe = np.where(x > 0, x, 1)
    return astype(np.where(x > 0, -x * np.log(safe), np.where(x == 0, 0, -np.inf)), x.dtype)


@by_library("xlog1py")
def xlog1py(x: Array, y: Array) -> Array:
    """x log1p(y), 0 where x is zero and y is a number."""
    return astype(np.where((x == 0) & ~np.isnan(y), 0, x * np.log1p(y)), x.dtype)


def mvlgamma(x: Array, p: int) -> Array:
    """The logarithm of the multivariate gamma function."""
    total = sum(lgamma(x - j / 2) for j in range(p))
    return astype(total + p * (p - 1) / 4 * math.log(math.pi), x.dtype)


def angle(x: Array) -> Array:
    """The angle of a number: of real ones 0, or pi below zero."""
    return np.angle(x) if x.dtype.kind == "c" else astype(
        np.where(np.isnan(x), x, np.where(x < 0, math.pi, 0)), x.dtype
    )  # fmt: skip
