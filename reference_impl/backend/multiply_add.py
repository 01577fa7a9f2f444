"""x * y + z rounded once, as the vector units of processors compute it."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["multiply_add", "towards"]

WIDER = {"e": np.float32, "f": np.float64, "d": np.longdouble}
"""What holds the product before it is rounded; of float64 on some machines no more than itself."""


def multiply_add(x: Any, y: Any, z: Any) -> Any:
    """x * y + z in the dtype of ``x``; the others are arrays of that dtype or numbers."""
    wide = WIDER.get(x.dtype.char) if isinstance(x, (np.ndarray, np.generic)) else None
    if wide is None:  # whole numbers, complex ones, and arrays of other libraries
        return x * y + z
    if not isinstance(y, np.ndarray):
        y = x.dtype.type(y)
    return np.asarray(np.asarray(x, wide) * np.asarray(y, wide) + z).astype(x.dtype)


def towards(x: Any, y: Any, w: Any) -> Any:
    """x + w * (y - x), counted from the nearer end, so that a weight of one gives y exactly."""
    way = y - x
    if not isinstance(x, np.ndarray) or x.dtype.kind == "c":
        return x + w * way
    near = np.abs(w) < 0.5
    return np.where(near, multiply_add(way, w, x), multiply_add(-way, 1 - w, y))
