"""Special functions, which array namespaces lack: SciPy's on the CPU, CuPy's of the same names on a
device."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .base import astype
from .bfloat16 import BFloat16Array, stored
from .libraries import library_of

__all__ = ["angle", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv", "gammainc", "gammaincc",
           "i0", "i0e", "i1", "i1e", "lgamma", "log_ndtr", "mvlgamma", "ndtr", "ndtri",
           "xlog1py", "zeta"]  # fmt: skip

Array = Any


@functools.lru_cache(maxsize=1)
def scipy_special() -> Any:
    """``scipy.special``, loaded when a special function is first computed."""
    return importlib.import_module("scipy.special")


def special(name: str) -> Callable[..., Array]:
    """The kernel of a special function by its name in both libraries, in the dtype of its last
    argument."""

    def kernel(*args: Any) -> Array:
        x = args[-1]
        if isinstance(x, (np.ndarray, np.generic)):
            return astype(getattr(scipy_special(), name)(*args), x.dtype)
        if type(x) is BFloat16Array:
            return stored(kernel(*(getattr(a, "values", a) for a in args)))
        return library_of(x).function(name, *args)

    kernel.__name__ = kernel.__qualname__ = name
    return kernel


digamma = special("digamma")
entr = special("entr")
erf = special("erf")
erfc = special("erfc")
erfcx = special("erfcx")
inverse_erf = special("erfinv")
i0 = special("i0")
i0e = special("i0e")
i1 = special("i1")
i1e = special("i1e")
gammaln = special("gammaln")
log_ndtr = special("log_ndtr")
ndtr = special("ndtr")
ndtri = special("ndtri")
xlog1py = special("xlog1py")
zeta = special("zeta")
gammainc = special("gammainc")
gammaincc = special("gammaincc")


def lgamma(x: Array) -> Array:
    """The logarithm of the absolute value of the gamma function; infinite at minus infinity, as in
    C, where SciPy says minus infinity."""
    return astype(np.where(x == -math.inf, math.inf, gammaln(x)), x.dtype)


def erfinv(x: Array) -> Array:
    """The inverse of the error function, which keeps the sign of zero."""
    return astype(np.where(x == 0, x, inverse_erf(x)), x.dtype)


def mvlgamma(x: Array, p: int) -> Array:
    """The logarithm of the multivariate gamma function."""
    total = sum(lgamma(x - j / 2) for j in range(p))
    return astype(total + p * (p - 1) / 4 * math.log(math.pi), x.dtype)


def angle(x: Array) -> Array:
    """The angle of a number: of real ones 0, or pi below zero."""
    return np.angle(x) if x.dtype.kind == "c" else astype(
        np.where(np.isnan(x), x, np.where(x < 0, math.pi, 0)), x.dtype
    )  # fmt: skip
