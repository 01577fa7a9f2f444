"""Element types, their promotion, and the default floating dtype.

A dtype is a small named object around the array library's own dtype. Promotion follows the category
order bool < integer < floating < complex: the operands *with dimensions* decide first, zero-dim
tensors may only raise the category, and Python numbers likewise, then counting as the default
dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..naming import known_as

__all__ = ["DType", "from_numpy", "get_default_dtype", "result_type", "set_default_dtype"]

BOOL, INTEGER, FLOATING, COMPLEX = range(4)


class DType:
    """An element type.

    Attributes:
        name: short name, such as ``"float32"``.
        np: the array library's dtype object.
        category: BOOL, INTEGER, FLOATING or COMPLEX.
        itemsize: bytes per element.
    """

    __slots__ = ("category", "itemsize", "name", "np")

    def __init__(self, name: str, category: int, array_dtype: Any = None) -> None:
        self.name = name
        self.np: Any = np.dtype(name) if array_dtype is None else array_dtype
        self.category = category
        self.itemsize = self.np.itemsize

    @property
    def is_floating_point(self) -> bool:
        """Whether this is a real floating dtype."""
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        """Whether this is a complex dtype."""
        return self.category == COMPLEX

    @property
    def is_signed(self) -> bool:
        """Whether negative values can be represented."""
        return self.category != BOOL and self.np.kind != "u"

    def to_real(self) -> DType:
        """The dtype of the parts of a complex number of this dtype (itself where real)."""
        return _TO_REAL.get(self, self)

    def to_complex(self) -> DType:
        """The complex dtype whose parts have this dtype.

        Raises:
            RuntimeError: whole numbers or bools.
        """
        if self.category < FLOATING:
            raise errors.wrong_dtype(f"torch.dtype: no complex dtype has parts of {self}")
        return _TO_COMPLEX.get(self, self)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (by_name, (self.name,))


known_as(DType, "torch", "dtype")


class _BFloat16:
    """Stands where the array library's dtype object would, since it has none for bfloat16."""

    name = "bfloat16"
    kind = "f"
    itemsize = 2
    dtype = np.dtype("float32")
    type = np.float32

    def __eq__(self, other: object) -> bool:
        return other is self

    def __hash__(self) -> int:
        return id(self)

    def __reduce__(self) -> str:
        return "BFLOAT16"

    def __repr__(self) -> str:
        return "dtype('bfloat16')"


BFLOAT16: Any = _BFloat16()


def by_name(name: str) -> DType:
    """The dtype of that name."""
    return BY_NAME[name]


bool_ = DType("bool", BOOL)
uint8 = DType("uint8", INTEGER)
int8 = DType("int8", INTEGER)
int16 = DType("int16", INTEGER)
int32 = DType("int32", INTEGER)
int64 = DType("int64", INTEGER)
float16 = DType("float16", FLOATING)
bfloat16 = DType("bfloat16", FLOATING, BFLOAT16)
float32 = DType("float32", FLOATING)
float64 = DType("float64", FLOATING)
complex64 = DType("complex64", COMPLEX)
complex128 = DType("complex128", COMPLEX)

ALL = (
    bool_, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64, complex64,
    complex128,
)  # fmt: skip
BY_NAME = {d.name: d for d in ALL}
BY_NUMPY = {d.np: d for d in ALL}
_TO_COMPLEX = {float16: complex64, bfloat16: complex64, float32: complex64, float64: complex128}
_TO_REAL = {complex64: float32, complex128: float64}

DIFFERENTIABLE = frozenset(d.np for d in ALL if d.category >= FLOATING)
"""The array dtypes whose tensors may require grad."""

_default = float32


def from_numpy(np_dtype: Any) -> DType:
    """The dtype for an array library's dtype.

    Raises:
        TypeError: no tensor can hold that dtype.
    """
    try:
        return BY_NUMPY[np_dtype if np_dtype is BFLOAT16 else np.dtype(np_dtype)]
    except (KeyError, TypeError):
        names = ", ".join(d.name for d in ALL)
        raise errors.wrong_type(
            f"can't convert an array of dtype {np_dtype}; the supported types are {names}"
        ) from None


PYTHON_TYPES: dict[Any, DType] = {
    bool: bool_, int: int64, float: float64, complex: complex128,
}  # fmt: skip


def array_dtype(d: Any) -> Any:
    """The array dtype of a dtype, or of a Python type that stands for one.

    Raises:
        TypeError: ``d`` is neither.
    """
    return named(d).np


def named(d: Any) -> DType:
    """A dtype, or the one that a Python type stands for.

    Raises:
        TypeError: ``d`` is neither.
    """
    if isinstance(d, DType):
        return d
    if isinstance(d, type) and d in PYTHON_TYPES:
        return PYTHON_TYPES[d]
    raise errors.wrong_type(f"argument 'dtype' must be torch.dtype, not {type(d).__name__}")


def get_default_dtype() -> DType:
    """The floating dtype that Python floats get."""
    return _default


def set_default_dtype(d: DType) -> None:
    """Set the floating dtype that Python floats get.

    Raises:
        TypeError: ``d`` is not a floating dtype.
    """
    global _default
    if not isinstance(d, DType) or d.category != FLOATING:
        raise errors.wrong_type(
            f"set_default_dtype(): the default must be a floating dtype; got {d}"
        )
    _default = d


def checked_number(what: str, value: Any, dtype: DType) -> Any:
    """A Python number as it is stored in a dtype: below zero it wraps in an unsigned one.

    Raises:
        TypeError: no number.
        RuntimeError: a number that the dtype cannot hold.
    """
    if not isinstance(value, (int, float, complex, np.generic)):
        raise errors.wrong_type(f"{what}(): the value must be a number, not {type(value).__name__}")
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, complex):
        fits = dtype.category in (COMPLEX, BOOL)  # of bools: whether there is anything
    elif dtype.category == INTEGER:
        limits = np.iinfo(dtype.np)
        low = int(limits.min) or -int(limits.max)
        fits = bool(low <= value <= limits.max)
        if fits and value < limits.min:
            value = int(value) % (int(limits.max) + 1)
    else:
        fits = True
    if not fits:
        raise errors.wrong_value(
            f"{what}(): value cannot be converted to type {dtype} without overflow: {value}",
            RuntimeError,
        )
    return value


_promotions: dict[tuple[Any, Any], Any] = {}


def promote(a: Any, b: Any) -> Any:
    """The smallest array dtype that both array dtypes promote to."""
    if a is b:
        return a
    try:
        return _promotions[a, b]
    except KeyError:
        pass
    x, y = from_numpy(a), from_numpy(b)
    if x.category < y.category:
        x, y = y, x
    if x.category == y.category:
        result = wider(x.np, y.np)
    elif x.category == COMPLEX and y.category == FLOATING:
        result = np.promote_types(x.np, y.to_complex().np)
    else:
        result = x.np
    _promotions[a, b] = result
    return result


def wider(a: Any, b: Any) -> Any:
    """The smallest array dtype that holds two of one category."""
    if a is not BFLOAT16 and b is not BFLOAT16:
        return np.promote_types(a, b)
    other = a if b is BFLOAT16 else b
    return other if other.itemsize > 2 else float32.np


def promote_types(type1: DType, type2: DType) -> DType:
    """The smallest dtype that both promote to."""
    return BY_NUMPY[promote(array_dtype(type1), array_dtype(type2))]


def of_number(value: Any) -> Any:
    """The array dtype that a Python number counts as."""
    if isinstance(value, bool):
        return bool_.np
    if isinstance(value, int):
        return int64.np
    if isinstance(value, float):
        return _default.np
    if isinstance(value, complex):
        return _default.to_complex().np
    return np.asarray(value).dtype


def result_type(*operands: Any) -> Any:
    """The array dtype in which an operation on these arrays and Python numbers is computed."""
    ranks: list[Any] = [None, None, None]
    for operand in operands:
        if operand is None:
            continue
        if isinstance(operand, np.generic):
            operand = operand.item()
        shape = getattr(operand, "shape", None)
        rank, dtype = (
            (2, of_number(operand)) if shape is None else (0 if shape else 1, operand.dtype)
        )
        held = ranks[rank]
        ranks[rank] = dtype if held is None else promote(held, dtype)
    result = None
    for dtype in ranks:
        if dtype is None:
            continue
        if result is None:
            result = dtype
        elif BY_NUMPY[dtype].category > BY_NUMPY[result].category:
            held = BY_NUMPY[result]
            complex_ = held.is_floating_point and BY_NUMPY[dtype].is_complex
            result = held.to_complex().np if complex_ else promote(result, dtype)
    return result
