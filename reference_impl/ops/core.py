"""The operations that all others lean on: arithmetic, conversion, and the transposes of
broadcasting."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend import base, dtypes
from ..backend.device import Device
from ..backend.dtypes import BFLOAT16, BY_NUMPY, DType, float16
from ..backend.libraries import resolved
from ..backend.memory_format import contiguous_format, preserve_format
from ..backend.silence import silent
from ..engine import rules
from ..graph.row import (
    ELEMENTWISE,
    FLOAT,
    HOLOMORPHIC,
    KEEPS_LAYOUT,
    LINEAR,
    MULTILINEAR,
    READS_FIRST,
    VIEW,
    WRITES_ONE_VALUE,
)
from ..tensor.legacy import constructor_name, dtype_of_constructor
from ..tensor.tensor import Tensor, wrap
from .dims import needs_tensor
from .layout import channels_row, contiguous, contiguous_row
from .op import op, variant
from .registry import FUNCTIONS, expose, function, method, public

__all__ = [
    "add", "cast_to", "clone", "conj", "div", "expand", "in_wider", "mul", "neg", "rounded_once",
    "sub", "sum_to", "zeros_of",
]  # fmt: skip

E = ELEMENTWISE


def no_bools(what: str, instead: str) -> Any:
    """Refuse boolean operands."""

    def check(arrays: Any) -> None:
        if any(
            a is True or a is False or (hasattr(a, "dtype") and a.dtype.kind == "b") for a in arrays
        ):
            raise errors.wrong_dtype(
                f"{what}(): not supported for bool tensors; use {instead}, or convert them"
            )

    return check


def no_complex(what: str) -> Any:
    """Refuse complex operands."""

    def check(arrays: Any) -> None:
        if any(getattr(a, "dtype", None) is not None and a.dtype.kind == "c" for a in arrays):
            raise errors.wrong_dtype(
                f"{what}(): complex numbers have no order; compare their absolute values"
            )

    return check


add = op("add(x, y)", np.add, E | LINEAR, constants={"alpha": 1}, x=lambda g: g, y=lambda g: g)
sub = op(
    "sub(x, y)",
    np.subtract,
    E | LINEAR,
    check=no_bools("sub", "logical_xor()"),
    constants={"alpha": 1},
    x=lambda g: g,
    y=lambda g: -g,
)


def _scaled_sum(x: Any, y: Any, alpha: Any) -> Any:
    """x + alpha y; of bools whether one of them holds, and unsigned numbers wrap."""
    if y.dtype.kind == "b":
        return x | y if alpha else x.copy()
    if y.dtype.kind == "u":
        alpha %= 1 << 8 * y.dtype.itemsize
    return x + y * alpha


scaled_add = op(
    "add(x, y, /, alpha)",
    _scaled_sum,
    E | LINEAR,
    x=lambda g: g,
    y=lambda g, alpha: g * alpha.conjugate(),
)
scaled_sub = op(
    "sub(x, y, /, alpha)",
    lambda x, y, alpha: _scaled_sum(x, y, -alpha),
    E | LINEAR,
    check=no_bools("sub", "logical_xor()"),
    x=lambda g: g,
    y=lambda g, alpha: -g * alpha.conjugate(),
)
rsub = op(
    "rsub(x, y)",
    lambda x, y: np.subtract(y, x),
    E | LINEAR,
    node="RsubBackward1",
    check=no_bools("rsub", "logical_xor()"),
    x=lambda g: -g,
    y=lambda g: g,
)
rsub_tensor = variant(rsub, "RsubBackward0")
mul = op(
    "mul(x, y)",
    np.multiply,
    E | HOLOMORPHIC | MULTILINEAR,
    x=lambda g, y: g * y,
    y=lambda g, x: g * x,
)


div = op(
    "div(x, y)",
    np.true_divide,
    E | FLOAT | HOLOMORPHIC,
    x=lambda g, y: g / y,
    y=lambda g, x, y: -g * ((x / y) / y),
)


def copied(x: Any) -> Any:
    """A copy, in memory as the array itself, without the gaps where it has some."""
    if base.is_dense(x) or 0 in x.strides:
        return x.copy(order="K" if base.is_dense(x) else "C")
    order = base.memory_order(x)
    return base.in_order(x.transpose(order).copy(), x.shape, order)


neg = op("neg(x)", np.negative, E | LINEAR, check=no_bools("neg", "logical_not()"), x=lambda g: -g)
conj_physical = op(
    "conj_physical(x)",
    lambda x: np.conjugate(x) if x.dtype.kind == "c" else x.copy(),
    E | LINEAR,
    x=lambda g: conj(g),
)


_conj = variant(conj_physical, "ConjBackward0")


def conj(x: Any) -> Any:
    """The complex conjugate of an array or a tensor; itself where real."""
    if isinstance(x, Tensor):
        return conj_physical(x) if x._data.dtype.kind == "c" else x
    return x.conj() if x.dtype.kind == "c" else x


clone = op("clone(x)", copied, LINEAR | KEEPS_LAYOUT, x=lambda g: g)
_to_copy = variant(clone, "ToCopyBackward0")
alias = op("alias(x)", lambda x: x.view(), LINEAR | VIEW, x=lambda g: g)
_cast = op(
    "to(x, /, dtype)",
    rules.cast,
    LINEAR | KEEPS_LAYOUT,
    node="ToCopyBackward0",
    x=lambda g, x_dtype: cast_to(g, x_dtype),
)


def cast_to(x: Any, dtype: Any) -> Any:
    """An array or a tensor in another (array) dtype, complex to real by the real part; itself where
    equal."""
    if x is None:
        return None
    data = x._data if isinstance(x, Tensor) else x
    return x if same_dtype(data.dtype, dtype) else _cast(x, dtype)


def in_wider(fn: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A function made of several operations, computed in float32 if its tensors are float16, whose
    squares and powers may overflow; the result is rounded once."""

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Tensor:
        tensors = [x for x in (*args, *kwargs.values()) if isinstance(x, Tensor)]
        if {x.dtype for x in tensors} != {float16}:
            return fn(*args, **kwargs)
        return rounded_once(fn, float16, args, kwargs)

    return run


def rounded_once(fn: Callable[..., Tensor], dtype: DType, args: Any, kwargs: Any) -> Tensor:
    """The result of a function in this dtype, of tensors of the dtype made float32."""

    def wide(x: Any) -> Any:
        return cast_to(x, FLOAT32) if isinstance(x, Tensor) and x.dtype is dtype else x

    out = fn(*map(wide, args), **{name: wide(x) for name, x in kwargs.items()})
    return cast_to(out, dtype.np)  # type: ignore[no-any-return]


FLOAT32 = np.dtype("float32")


def same_dtype(a: Any, b: Any) -> bool:
    """Whether two array dtypes are the same."""
    return a is b or (BFLOAT16 not in {a, b} and bool(a == b))


def _expand(x: Any, shape: Any) -> Any:
    lead = len(shape) - x.ndim
    strides: list[int] = [0] * lead
    for n, have, stride in zip(shape[lead:], x.shape, x.strides, strict=True):
        if n != have and have != 1:
            raise errors.wrong_value(f"cannot broadcast {x.shape} to {shape}")
        strides.append(stride if n == have else 0)
    for d in reversed(range(lead)):  # a new dimension that is not stretched has rows' stride
        if shape[d] == 1:
            strides[d] = shape[d + 1] * strides[d + 1] if d + 1 < len(shape) else x.itemsize
    if type(x) is np.ndarray and x.flags.c_contiguous and x.flags.writeable and x.size:
        return np.ndarray(shape, x.dtype, x, 0, strides)
    if isinstance(x, np.ndarray):
        return base.as_strided(x, shape, strides)
    if isinstance(x, np.generic):  # whose expansion by NumPy cannot be written to
        return base.as_strided(np.asarray(x), shape, strides)
    return np.broadcast_to(x, shape)


_sum_to_shape = op(
    "sum_to_size(x, /, shape)",
    lambda x, shape: rules.unbroadcast(x, shape, x.dtype),
    LINEAR,
    node="SumBackward1",
    x=lambda g, x_shape: expand(g, x_shape),
)
_expand_row = op(
    "expand(x, /, shape)", _expand, LINEAR | VIEW, x=lambda g, x_shape: sum_to(g, x_shape)
)


def sum_to(x: Any, shape: Any) -> Any:
    """Sum an array or a tensor down to a shape that broadcasts to its own; itself where equal."""
    return x if tuple(x.shape) == tuple(shape) else _sum_to_shape(x, tuple(shape))


def expand(x: Any, shape: Any) -> Any:
    """Stretch an array or a tensor to a shape, without copying; itself where equal."""
    return x if tuple(x.shape) == tuple(shape) else _expand_row(x, tuple(shape))


def zeros_of(x: Any, shape: Any = None) -> Any:
    """Zeros of the kind (array or tensor), dtype and, unless given, shape of ``x``."""
    if isinstance(x, Tensor):
        return wrap(zeros_of(x._data, shape))
    return base.zeros(x.shape if shape is None else shape, x.dtype, x)


# What the engine itself computes with gradients that are tensors.
for _name, _function in {"_conjugate": conj, "_sum_to": sum_to, "_cast_to": cast_to}.items():
    setattr(Tensor, _name, _function)

# -- public ----------------------------------------------------------------------------------------

expose(
    (mul, "input * other, broadcast and promoted to a common dtype."),
    (neg, "-input. Raises for bool."),
    (conj_physical, "The complex conjugate, as a new tensor; a copy where real."),
    multiply=mul,
    negative=neg,
)


def number(value: Any) -> bool:
    """Whether a value is a Python number."""
    return isinstance(value, (int, float, complex))


def factor(alpha: Any, *operands: Any) -> Any:
    """The factor of the second operand.

    Raises:
        RuntimeError: the result holds whole numbers, and the factor is none.
    """
    if isinstance(alpha, Tensor):
        alpha = alpha._data.item()
    if not number(alpha):
        raise errors.wrong_type(f"argument 'alpha' must be a number, not {type(alpha).__name__}")
    if not isinstance(alpha, int) or alpha is True:
        dtype = dtypes.result_type(*(getattr(x, "_data", x) for x in operands))
        if alpha is True and dtype.kind != "b":
            raise errors.wrong_dtype("[add, sub] alpha may be a bool for operands of bools alone")
        if alpha is not True and BY_NUMPY[dtype].category < dtypes.FLOATING:
            raise errors.wrong_dtype(
                "[add, sub] alpha must be a whole number for operands of whole numbers; got "
                f"{alpha}"
            )
    return alpha


@public("add")
def add_public(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """input + alpha * other, broadcast and promoted."""
    if alpha == 1 and alpha is not True:
        return add.apply(input, other)
    return scaled_add.apply(input, other, factor(alpha, input, other))


@public("sub", "subtract")
def sub_public(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """input - alpha * other, broadcast and promoted."""
    if alpha == 1 and alpha is not True:
        return sub.apply(input, other)
    return scaled_sub.apply(input, other, factor(alpha, input, other))


@public("rsub")
def rsub_public(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """other - alpha * input, broadcast and promoted."""
    row = rsub_tensor if isinstance(other, Tensor) else rsub
    return row.apply(input if alpha == 1 else input * alpha, other)


@method("add_")
def add_(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """self += alpha * other."""
    if alpha == 1 and alpha is not True:
        return add.inplace(self, other)
    return scaled_add.inplace(self, other, factor(alpha, self, other))


@method("sub_", "subtract_")
def sub_(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """self -= alpha * other."""
    if alpha == 1 and alpha is not True:
        return sub.inplace(self, other)
    return scaled_sub.inplace(self, other, factor(alpha, self, other))


@public("clone")
def clone_public(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """A differentiable copy; in memory as the tensor itself, or in rows where that is asked for."""
    if memory_format in (None, preserve_format):
        return clone.apply(input)
    if memory_format is contiguous_format:
        return contiguous_row.apply(input)
    return channels_row.apply(input, memory_format.order(input._data.shape))


@public("conj")
def conj_public(input: Tensor) -> Tensor:
    """The complex conjugate; the tensor itself where real."""
    return _conj.apply(input) if input._data.dtype.kind == "c" else input


@method("expand")
def expand_public(self: Tensor, *sizes: Any, size: Any = None) -> Tensor:
    """A view with size-1 dimensions stretched; -1 keeps a size.

    Raises:
        RuntimeError: the tensor cannot be stretched to that shape.
    """
    given = sizes if size is None else (size,)
    try:
        shape = tuple(given[0]) if len(given) == 1 and not isinstance(given[0], int) else given
        shape = tuple([operator.index(n) for n in shape])
    except TypeError:
        found = ", ".join(type(n).__name__ for n in given)
        raise errors.wrong_type(
            f"expand(): argument 'size' must be tuple of ints, not ({found})"
        ) from None
    own = self._data.shape
    lead = len(shape) - len(own)
    full = tuple(own[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(shape))
    if min(full, default=0) < 0:
        raise errors.wrong_shape(
            f"expand(): a size of -1 keeps one that is there, and no other is negative; got "
            f"{list(shape)} for the existing size {list(own)}"
        )
    try:
        return _expand_row.apply(self, full)
    except ValueError:
        raise errors.wrong_shape(
            f"The expanded size {list(shape)} must match the existing size {list(own)} at each "
            "non-singleton dimension"
        ) from None


TO_OPTIONS = {"dtype", "device", "other", "tensor", "non_blocking", "copy", "memory_format"}


@method("to")
def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """This tensor in another dtype or on another device; itself where nothing changes and no copy
    is asked for.

    Raises:
        TypeError: something else is given.
    """
    dtype, device = kwargs.get("dtype"), kwargs.get("device")
    flags = []
    for a in (*args, *(kwargs[k] for k in ("other", "tensor") if k in kwargs)):
        if isinstance(a, bool):
            flags.append(a)
        elif isinstance(a, (DType, type)):
            dtype = a
        elif isinstance(a, Tensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, (str, Device, int)):
            device = a
        elif a is not None:
            raise errors.wrong_type(
                f"to() takes a dtype, a device or a tensor; got {type(a).__name__}"
            )
    if kwargs.keys() - TO_OPTIONS:
        raise errors.wrong_type(f"to() takes {sorted(TO_OPTIONS)}; got {sorted(kwargs)}")
    copy = kwargs.get("copy", flags[1] if len(flags) > 1 else False)
    result = self if dtype is None else converted(self, dtypes.array_dtype(dtype))
    if device is not None:
        result = to_device(result, device)
    if kwargs.get("memory_format") not in (None, preserve_format):
        return contiguous(result, kwargs["memory_format"])
    return _to_copy.apply(self) if copy and result is self else result


def to_device(x: Tensor, device: Any) -> Tensor:
    """A tensor on a device; itself where it lives there."""
    place = resolved(device)
    return x if x.device == place else _move.apply(x, place)


_move = op(
    "to_device(x, /, device)",
    base.moved,
    LINEAR | KEEPS_LAYOUT,
    node="ToCopyBackward0",
    x=lambda g, x_device: moved(g, x_device),
)


def moved(x: Any, device: Any) -> Any:
    """An array or a tensor on a device."""
    return _move(x, device)


def _converter(name: str, dtype: DType) -> None:
    def convert(self: Tensor) -> Tensor:
        return converted(self, dtypes.array_dtype(dtype))

    convert.__doc__ = f"This tensor as {dtype}; itself where it is already."
    method(name)(convert)


for _name, _dtype in {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16,
    "bfloat16": dtypes.bfloat16, "long": dtypes.int64,
    "int": dtypes.int32, "short": dtypes.int16, "bool": dtypes.bool_, "char": dtypes.int8,
    "byte": dtypes.uint8, "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}.items():  # fmt: skip
    _converter(_name, _dtype)


@method("type")
def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """This tensor in another dtype, which may go by the name of an old constructor; without one,
    that name."""
    if dtype is None:
        return constructor_name(self.dtype)
    return converted(self, dtypes.array_dtype(dtype_of_constructor(dtype)))


@method("type_as")
def type_as(self: Tensor, other: Tensor) -> Tensor:
    """This tensor in the dtype of another."""
    return converted(self, other._data.dtype)


def dropping(source: Any, target: Any) -> None:
    """Warn that a conversion leaves imaginary parts away."""
    if source.kind == "c" and target.kind not in "cb":
        errors.caution(
            "Casting complex values to real discards the imaginary part. Take .real if that is "
            "meant."
        )


def converted(x: Tensor, dtype: Any) -> Tensor:
    """A tensor in another array dtype, with a warning where that drops imaginary parts."""
    dropping(x._data.dtype, dtype)
    return cast_to(x, dtype)  # type: ignore[no-any-return]


@method("copy_")
def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Overwrite with another tensor, broadcast and cast."""
    needs_tensor("copy_", "other", src)
    own, other = self._data.shape, src._data.shape
    if own != other and (
        len(other) > len(own)
        or any(n not in (1, m) for n, m in zip(reversed(other), reversed(own), strict=False))
    ):
        raise errors.shapes_mismatch("copy_", own, other)
    dropping(src._data.dtype, self._data.dtype)
    return _copy.inplace(self, to_device(src, self.device))


def _copied(x: Any, y: Any) -> Any:
    y = cast_in(y, x.dtype)
    return np.broadcast_to(y, x.shape) if y.shape != x.shape and y.ndim <= x.ndim else y


@silent
def cast_in(y: Any, dtype: Any) -> Any:
    """An array converted for storing into another."""
    return rules.cast(y, dtype)


_copy = op(
    "copy(x, y)",
    _copied,
    KEEPS_LAYOUT,
    node="CopyBackwards",
    x=lambda g: zeros_of(g),
    y=lambda g, y_shape, y_dtype: cast_to(sum_to(g, y_shape), y_dtype),
)


@method("zero_")
def zero_(self: Tensor) -> Tensor:
    """Set every element to zero."""
    return _zero.inplace(self, 0)


@method("fill_")
def fill_(self: Tensor, value: Any) -> Tensor:
    """Set every element to a number or to the value of a zero-dim tensor.

    Raises:
        TypeError: neither.
        RuntimeError: a tensor with dimensions, or a number that the dtype cannot hold.
    """
    if not isinstance(value, Tensor):
        value = dtypes.checked_number("fill_", value, dtype_of(self))
    elif value._data.ndim:
        raise errors.wrong_shape(
            f"fill_(): the value must be a number or a 0-dim tensor; got shape {list(value.shape)}"
        )
    return (_fill_tensor if isinstance(value, Tensor) else _fill).inplace(self, value)


@function("fill")
def fill_public(input: Tensor, value: Any) -> Tensor:
    """A copy with every element set to a number or to the value of a zero-dim tensor."""
    return (_filled_tensor_row if isinstance(value, Tensor) else _fill_row).apply(input, value)


def _filled(x: Any, value: Any) -> Any:
    if hasattr(value, "strides"):
        return np.broadcast_to(cast_in(value, x.dtype), x.shape)
    return base.full(x.shape, value, x.dtype, x)


_fill_row = op(
    "fill(x, y)",
    _filled,
    KEEPS_LAYOUT | WRITES_ONE_VALUE | READS_FIRST,
    x=lambda g: zeros_of(g),
    y=lambda g, y_shape, y_dtype: cast_to(sum_to(g, y_shape), y_dtype),
)
_filled_tensor_row = variant(_fill_row, "FillBackward1")
_fill = variant(_fill_row, "FillBackward2")
_fill_tensor = variant(_fill_row, "FillBackward3", flags=KEEPS_LAYOUT | READS_FIRST)
_zero = variant(_fill_row, "ZeroBackward0")
for _twin in (zero_, fill_):
    FUNCTIONS[_twin.__name__] = _twin


def dtype_of(x: Tensor) -> DType:
    """The dtype of a tensor."""
    return BY_NUMPY[x._data.dtype]
