"""Limits: clamp and its kin, and logit, which limits its operand first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import full
from ..backend.dtypes import BY_NUMPY, FLOATING, get_default_dtype, result_type
from ..errors import in_place_dtype
from ..graph.row import POINTWISE
from ..tensor.tensor import Tensor, wrap
from .choose import E, where
from .core import cast_to
from .op import op, variant
from .pointwise import U
from .registry import FUNCTIONS, method, public


def _clamp(x: Any, low: Any, high: Any) -> Any:
    if low is not None:
        x = np.maximum(low, x)
    return x if high is None else np.minimum(high, x)


def clamp_rule(g: Any, x: Any, low: Any, high: Any) -> Any:
    """The gradient where ``x`` is within the bounds or on one."""
    inside = True
    if low is not None:
        inside = x >= low
    if high is not None:
        inside = (x <= high) if inside is True else inside & (x <= high)
    return where(inside, g, 0)


clamp_numbers = op(
    "clamp(x, /, low, high)",
    _clamp,
    POINTWISE,
    node="ClampBackward1",
    refuses="c",
    x=clamp_rule,
)


clamp_tensors = op(
    "clamp(x, y, z)",
    lambda x, y, z: np.minimum(np.maximum(x, y), z),
    E,
    refuses="bc",
    x=lambda g, x, y, z: where((x >= y) & (x <= z), g, 0),
    y=lambda g, x, y, z: where((x < y) & (y < z), g, 0),
    z=lambda g, x, y, z: where((x > z) | (y > z), g, 0),
)


def extremes(x: Tensor, bound: Any) -> tuple[Tensor, Tensor]:
    """The bounds that limit nothing, in the dtype of a clamp by the other one."""
    dtype = result_type(x._data, getattr(bound, "_data", bound))
    if dtype.kind in "iu":
        limits: tuple[Any, Any] = (np.iinfo(dtype).min, np.iinfo(dtype).max)
    else:
        limits = (False, True) if dtype.kind == "b" else (-math.inf, math.inf)
    least, most = (wrap(full((), v, dtype, x._data)) for v in limits)
    return least, most


def bound(value: Any, other: Any) -> Any:
    """A bound of clamp: beside a number a 0-dim tensor without history counts as one.

    Raises:
        TypeError: neither a tensor nor a number.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (Tensor, int, float, complex, type(None))):
        raise errors.wrong_type(
            f"clamp(): a bound must be a Tensor or a number, not {type(value).__name__}"
        )
    beside = isinstance(other, (int, float))
    if beside and isinstance(value, Tensor) and not value._data.ndim and not value.requires_grad:
        return value.item()
    return value


def clamp_any(
    row_numbers: Any, row_tensors: Any, x: Tensor, low: Any, high: Any, in_place: bool = False
) -> Tensor:
    """clamp with numbers or tensors as bounds."""
    if low is None and high is None:
        raise errors.wrong_value(
            "clamp(): at least one of 'min' or 'max' must not be None", RuntimeError
        )
    low, high = bound(low, high), bound(high, low)
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        least, most = extremes(x, high if low is None else low)
        return row_tensors(x, least if low is None else low, most if high is None else high)  # type: ignore[no-any-return]
    if BY_NUMPY[x._data.dtype].category < FLOATING and any(
        isinstance(b, float) for b in (low, high)
    ):
        if in_place:
            raise in_place_dtype("clamp_", x.dtype, get_default_dtype())
        x = cast_to(x, get_default_dtype().np)
    return row_numbers(x, low, high)  # type: ignore[no-any-return]


@public("clamp", "clip")
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit to [min, max]; the gradient is 1 within and on the bounds."""
    return clamp_any(clamp_numbers.apply, clamp_tensors.apply, input, min, max)


@method("clamp_", "clip_")
def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit to [min, max] in place."""
    return clamp_any(clamp_numbers.inplace, clamp_tensors.inplace, self, min, max, in_place=True)


min_numbers = variant(clamp_numbers, "ClampMinBackward0")
min_tensors = variant(clamp_tensors, "ClampMinBackward1")
max_numbers = variant(clamp_numbers, "ClampMaxBackward0")
max_tensors = variant(clamp_tensors, "ClampMaxBackward1")


@public("clamp_min")
def clamp_min(input: Any, min: Any) -> Tensor:
    """Every element, or ``min`` (a number or a tensor) where that is larger."""
    return clamp_any(min_numbers.apply, min_tensors.apply, input, min, None)


@public("clamp_max")
def clamp_max(input: Any, max: Any) -> Tensor:
    """Every element, or ``max`` (a number or a tensor) where that is smaller."""
    return clamp_any(max_numbers.apply, max_tensors.apply, input, None, max)


@method("clamp_min_")
def clamp_min_(self: Tensor, min: Any) -> Tensor:
    """Every element, or ``min`` (a number or a tensor) where that is larger. In place."""
    return clamp_any(min_numbers.inplace, min_tensors.inplace, self, min, None, in_place=True)


@method("clamp_max_")
def clamp_max_(self: Tensor, max: Any) -> Tensor:
    """Every element, or ``max`` (a number or a tensor) where that is smaller. In place."""
    return clamp_any(max_numbers.inplace, max_tensors.inplace, self, None, max, in_place=True)


FUNCTIONS["clamp_min_"], FUNCTIONS["clamp_max_"] = clamp_min_, clamp_max_


for _name in ("clamp_", "clip_"):
    FUNCTIONS[_name] = clamp_


def _logit(x: Any, eps: float | None) -> Any:
    if eps is not None:
        x = np.minimum(np.maximum(x, eps), 1 - eps)
    return np.log(x / (1 - x))


def logit_rule(g: Any, x: Any, eps: float | None) -> Any:
    """1 / (x (1 - x)); beyond the limits zero, or NaN where there are none, as the value is."""
    low, outside = (0.0, math.nan) if eps is None else (eps, math.inf)
    return g / where((x < low) | (x > 1 - low), outside, x * (1 - x))


logit_row = op("logit(x, /, eps)", _logit, U, refuses="c", x=logit_rule)


@public("logit")
def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """log(x / (1 - x)), of x limited to [eps, 1 - eps]."""
    return logit_row.apply(input, eps)


@method("logit_")
def logit_(self: Tensor, eps: float | None = None) -> Tensor:
    """log(x / (1 - x)) in place."""
    return logit_row.inplace(self, eps)
