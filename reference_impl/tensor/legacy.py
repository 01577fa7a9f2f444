"""Constructors named after an element type, as in old programs."""

from __future__ import annotations

from typing import Any

from .. import errors
from ..backend import dtypes
from ..backend.dtypes import DType
from .construction import constructed
from .tensor import Tensor, wrap

__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor",
    "HalfTensor", "IntTensor", "LongTensor", "ShortTensor",
]  # fmt: skip


class TypedTensor(type):
    """Makes every tensor of a class's dtype an instance of it."""

    dtype: DType

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype

    def __call__(cls, *args: Any, **kwargs: Any) -> Tensor:
        return wrap(constructed(args, cls.dtype, **kwargs))


def typed(name: str, dtype: DType) -> Any:
    """The constructor of a dtype: of values given a sequence, of a shape given lengths."""
    doc = f"A tensor of {dtype}: of these values, or of these lengths."
    return TypedTensor(name, (), {"dtype": dtype, "__doc__": doc, "__module__": "torch"})


NAMES = {
    dtypes.bfloat16: "BFloat16Tensor", dtypes.bool_: "BoolTensor", dtypes.uint8: "ByteTensor",
    dtypes.int8: "CharTensor", dtypes.float64: "DoubleTensor", dtypes.float32: "FloatTensor",
    dtypes.float16: "HalfTensor", dtypes.int32: "IntTensor", dtypes.int64: "LongTensor",
    dtypes.int16: "ShortTensor", dtypes.complex64: "ComplexFloatTensor",
    dtypes.complex128: "ComplexDoubleTensor",
}  # fmt: skip


def constructor_name(dtype: DType) -> str:
    """The old name of tensors of a dtype, such as ``"torch.FloatTensor"``."""
    return f"torch.{NAMES[dtype]}"


def dtype_of_constructor(named: Any) -> Any:
    """The dtype that an old constructor or its name stands for; anything else as it is.

    Raises:
        ValueError: a text that names no constructor.
    """
    if isinstance(named, TypedTensor):
        return named.dtype
    if not isinstance(named, str):
        return named
    for dtype in NAMES:
        if constructor_name(dtype) == named:
            return dtype
    raise errors.wrong_value(
        f"invalid type: '{named}'; known are {[constructor_name(d) for d in NAMES]}"
    )


BFloat16Tensor = typed("BFloat16Tensor", dtypes.bfloat16)
BoolTensor = typed("BoolTensor", dtypes.bool_)
ByteTensor = typed("ByteTensor", dtypes.uint8)
CharTensor = typed("CharTensor", dtypes.int8)
DoubleTensor = typed("DoubleTensor", dtypes.float64)
FloatTensor = typed("FloatTensor", dtypes.float32)
HalfTensor = typed("HalfTensor", dtypes.float16)
IntTensor = typed("IntTensor", dtypes.int32)
LongTensor = typed("LongTensor", dtypes.int64)
ShortTensor = typed("ShortTensor", dtypes.int16)
