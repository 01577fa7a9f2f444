"""``torch.testing``: asserting that results are close to what was expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import dtypes
from .backend.base import host
from .ops.create import tensor
from .tensor import Tensor

__all__ = ["assert_close", "make_tensor"]

TOLERANCES: dict[dtypes.DType, tuple[float, float]] = {
    dtypes.float16: (1e-3, 1e-5),
    dtypes.bfloat16: (1.6e-2, 1e-5),
    dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7),
    dtypes.complex64: (1.3e-6, 1e-5),
    dtypes.complex128: (1e-7, 1e-7),
}
"""The relative and the absolute tolerance of each dtype; others are compared exactly."""
NUMBERS = (int, float, complex, np.generic)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Compare tensors, numbers, or sequences and mappings of them.

    Raises:
        AssertionError: they differ by more than the tolerances, or in kind, shape, dtype, device.
        ValueError: one tolerance is given and the other is not.
        TypeError: something that is not a number, a tensor or made of them.
    """
    if (rtol is None) != (atol is None):
        raise ValueError(
            "rtol and atol must both be specified or both be unspecified, but got no "
            f"{'rtol' if rtol is None else 'atol'}"
        )

    def fail(told: str) -> None:
        raise AssertionError(told if msg is None else msg if isinstance(msg, str) else msg(told))

    def leaves(a: Any, e: Any, place: str) -> None:
        mappings = isinstance(a, Mapping), isinstance(e, Mapping)
        listed = [isinstance(v, Sequence) and not isinstance(v, str) for v in (a, e)]
        if any(mappings) or any(listed):
            if not (all(mappings) or all(listed)):
                raise no_pair(a, e)
            if len(a) != len(e) or (all(mappings) and a.keys() != e.keys()):
                fail(f"{place}the length or the keys differ: {len(a)} and {len(e)}")
            for key in a if all(mappings) else range(len(a)):
                leaves(a[key], e[key], f"{place}[{key!r}] ")
            return
        told = compared(a, e)
        if told:
            fail(f"{place}{told}")

    def compared(a: Any, e: Any) -> str:
        if a is None and e is None:
            return ""
        arrays = [isinstance(v, (Tensor, np.ndarray)) for v in (a, e)]
        if arrays[0] != arrays[1]:
            raise no_pair(a, e)
        if not (all(arrays) or all(isinstance(v, NUMBERS) for v in (a, e))):
            raise no_pair(a, e)
        if not all(arrays) and check_dtype and type(a) is not type(e):
            return f"the (d)types do not match: {type(a)} and {type(e)}"
        x, y = (v if isinstance(v, Tensor) else tensor(v, dtype=of_value(v)) for v in (a, e))
        return mismatch(x, y)

    def mismatch(x: Tensor, y: Tensor) -> str:
        if x.shape != y.shape:
            return f"the values for attribute 'shape' do not match: {x.shape} != {y.shape}"
        if check_device and x.device != y.device:
            return f"the values for attribute 'device' do not match: {x.device} != {y.device}"
        if check_dtype and x.dtype is not y.dtype:
            return f"the values for attribute 'dtype' do not match: {x.dtype} != {y.dtype}"
        if check_stride and x.stride() != y.stride():
            return f"the values for attribute 'stride()' do not match: {x.stride()} != {y.stride()}"
        pairs = [TOLERANCES.get(t.dtype, (0.0, 0.0)) for t in (x, y)]
        relative = max(p[0] for p in pairs) if rtol is None else rtol
        absolute = max(p[1] for p in pairs) if atol is None else atol
        p, q = np.asarray(host(x._data)), np.asarray(host(y._data))
        with np.errstate(all="ignore"):
            near = np.isclose(p, q, relative, absolute, equal_nan) if p.size else np.ones(0, bool)
        if near.all():
            return ""
        wrong = int(near.size - near.sum())
        return (
            f"{wrong} of {near.size} elements are not close "
            f"({100 * wrong / near.size:.1f}%), with rtol={relative} and atol={absolute}"
        )

    leaves(actual, expected, "")


def no_pair(a: Any, e: Any) -> TypeError:
    """The refusal of two values that cannot be compared."""
    return TypeError(f"cannot compare a {type(a).__name__} with a {type(e).__name__}")


def of_value(value: Any) -> dtypes.DType | None:
    """The dtype that a Python number is compared in: the widest of its kind."""
    if isinstance(value, (np.ndarray, np.generic, bool, int)):
        return None
    return dtypes.complex128 if isinstance(value, complex) else dtypes.float64


def make_tensor(
    *shape: Any,
    dtype: dtypes.DType,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A tensor of random numbers, for tests: from ``low`` up to ``high``, by default from -9 to 9,
    of booleans 0 or 1, of unsigned numbers from 0."""
    from .ops import FUNCTIONS

    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    if dtype is dtypes.bool_:
        return FUNCTIONS["randint"](0, 2, sizes, dtype=dtype, device=device)  # type: ignore[no-any-return]
    least = -9.0 if dtype.is_signed else 0.0
    low, high = least if low is None else low, 9.0 if high is None else high
    if dtype.category == dtypes.INTEGER:
        whole = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
        return FUNCTIONS["randint"](*whole, sizes, dtype=dtype, device=device)  # type: ignore[no-any-return]
    drawn = FUNCTIONS["rand"](sizes, dtype=dtype, device=device) * (high - low) + low
    if exclude_zero:
        drawn = drawn.masked_fill(drawn == 0, 1)
    return drawn.requires_grad_(requires_grad)  # type: ignore[no-any-return]
