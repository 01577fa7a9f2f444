"""The limits of the dtypes, and which dtypes a value may be cast to."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from .dtypes import BOOL, COMPLEX, FLOATING, DType, bfloat16, get_default_dtype

__all__ = ["can_cast", "finfo", "iinfo"]


class finfo:
    """Limits of a floating dtype, of the parts of a complex one.

    Raises:
        TypeError: the dtype holds whole numbers.
    """

    def __init__(self, type: DType | None = None) -> None:
        kind = get_default_dtype() if type is None else type
        if not isinstance(kind, DType) or kind.category < FLOATING:
            raise errors.wrong_type(
                f"torch.finfo() requires a floating point input type, found {kind}; use "
                "torch.iinfo() for whole numbers"
            )
        kind = kind.to_real()
        self.dtype = kind.name
        self.bits = 8 * kind.itemsize
        if kind is bfloat16:
            self.eps, self.tiny, self.resolution = 2.0**-7, 2.0**-126, 0.01
            self.max = (2.0 - 2.0**-7) * 2.0**127
        else:
            limits: Any = np.finfo(kind.np)
            self.eps, self.tiny, self.max = (
                float(v) for v in (limits.eps, limits.tiny, limits.max)
            )
            self.resolution = float(f"1e-{limits.precision}")
        self.min = -self.max
        self.smallest_normal = self.tiny

    def __repr__(self) -> str:
        shown = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        limits = ", ".join(f"{name}={short(getattr(self, name))}" for name in shown)
        return f"finfo({limits}, dtype={self.dtype})"


def short(value: float) -> str:
    """A number as it stands in the text of the limits."""
    return f"{value:g}"


class iinfo:
    """Limits of a dtype of whole numbers.

    Raises:
        TypeError: another dtype.
    """

    def __init__(self, type: DType) -> None:
        if not isinstance(type, DType) or type.category in (BOOL, FLOATING, COMPLEX):
            raise errors.wrong_type(
                f"torch.iinfo() requires an integer input type, found {type}; use torch.finfo() "
                "for floating ones"
            )
        limits = np.iinfo(type.np)
        self.dtype, self.bits = type.name, 8 * type.itemsize
        self.min, self.max = int(limits.min), int(limits.max)

    def __repr__(self) -> str:
        return f"iinfo(min={short(self.min)}, max={short(self.max)}, dtype={self.dtype})"


def can_cast(from_: DType, to: DType) -> bool:
    """Whether type promotion lets values of one dtype be stored in another."""
    return from_.category <= to.category
