"""Elementwise functions of three operands: between two, and a product or quotient added."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import full
from ..backend.dtypes import FLOATING
from ..errors import unsupported_dtype
from ..graph.row import HOLOMORPHIC, LINEAR
from ..tensor.tensor import Tensor
from .choose import E
from .dims import needs_tensor
from .op import op, variant
from .registry import by_kind, method, public


def towards(x: Any, y: Any, w: Any) -> Any:
    """x + w * (y - x), counted from the nearer end, so that a weight of one gives y exactly."""
    way = y - x
    return np.where(abs(w) < 0.5, x + w * way, y - way * (1 - w))


lerp = op(
    "lerp(x, y, w)",
    towards,
    E | HOLOMORPHIC,
    refuses="bi",
    x=lambda g, w: g * (1 - w),
    y=lambda g, w: g * w,
    w=lambda g, x, y: g * (y - x),
)
lerp_number = op(
    "lerp(x, y, /, w)",
    lambda x, y, w: towards(x, y, full((), w, x.dtype, x)),
    E | LINEAR | HOLOMORPHIC,
    refuses="bi",
    x=lambda g, w: g * (1 - w),
    y=lambda g, w: g * w,
)
addcmul_row = op(
    "addcmul(x, y, z, /, value)",
    lambda x, y, z, value: x + value * y * z,
    E | HOLOMORPHIC,
    refuses="b",
    x=lambda g: g,
    y=lambda g, z, value: g * (z * value),
    z=lambda g, y, value: g * (y * value),
)


def whole_quotient(arrays: Any) -> None:
    """Refuse to divide whole numbers by whole numbers, which would not stay whole."""
    if all(a.dtype.kind in "biu" for a in arrays[1:] if hasattr(a, "dtype")):
        raise errors.wrong_dtype(
            "addcdiv(): division of whole numbers is not supported; convert a tensor to a "
            "floating dtype, or round the quotient with div(rounding_mode=...)"
        )


addcdiv_row = op(
    "addcdiv(x, y, z, /, value)",
    lambda x, y, z, value: x + value * y / z,
    E | HOLOMORPHIC,
    check=whole_quotient,
    x=lambda g: g,
    y=lambda g, z, value: g * (value / z),
    z=lambda g, y, z, value: -g * (value * (y / (z * z))),
)
lerp_any = by_kind(lerp_number, variant(lerp, "LerpBackward1"), 2)


@public("lerp")
def lerp_public(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """input + weight * (end - input).

    Raises:
        TypeError: the end is a number.
        RuntimeError: the tensors are of several dtypes.
    """
    one_dtype(input, end, weight)
    return lerp_any.apply(input, end, weight)  # type: ignore[no-any-return]


def one_dtype(input: Tensor, end: Tensor, weight: Any) -> None:
    """Refuse what lerp cannot mix."""
    if input.dtype.category < FLOATING:
        raise unsupported_dtype("lerp", input.dtype)
    for x in [end, weight] if isinstance(weight, Tensor) else [end]:
        needs_tensor("lerp", "end", x)
        if x.dtype is not input.dtype:
            raise errors.wrong_dtype(
                f"lerp(): the tensors must be of one dtype; got {input.dtype} and {x.dtype}. Convert "
                "one of them with .to()."
            )


@method("lerp_")
def lerp_(self: Tensor, end: Tensor, weight: Any) -> Tensor:
    """self += weight * (end - self)."""
    one_dtype(self, end, weight)
    return lerp_any.inplace(self, end, weight)  # type: ignore[no-any-return]


@public("addcmul")
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """input + value * tensor1 * tensor2."""
    return addcmul_row.apply(input, tensor1, tensor2, in_kind(value, input, tensor1, tensor2))


@method("addcmul_")
def addcmul_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """self += value * tensor1 * tensor2."""
    return addcmul_row.inplace(self, tensor1, tensor2, in_kind(value, self, tensor1, tensor2))


def in_kind(value: Any, *tensors: Tensor) -> Any:
    """A factor, cut to a whole number where all tensors hold such."""
    whole = all(x._data.dtype.kind in "iub" for x in tensors)
    return int(plain(value)) if whole else plain(value)


def plain(value: Any) -> Any:
    """A factor as a number, which a tensor may hold."""
    return value.item() if isinstance(value, Tensor) else value


@public("addcdiv")
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """input + value * tensor1 / tensor2."""
    return addcdiv_row.apply(input, tensor1, tensor2, plain(value))


@method("addcdiv_")
def addcdiv_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """self += value * tensor1 / tensor2."""
    return addcdiv_row.inplace(self, tensor1, tensor2, plain(value))
