"""Binding the operations to the tensor: operators, methods, conversions to Python."""

from __future__ import annotations

import copy
import warnings
from collections import OrderedDict
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import (
    device_of,
    full,
    guard,
    host,
    looked_at,
    memory,
    moved,
    pointer,
    root,
)
from ..backend.device import CPU
from ..backend.dtypes import BFLOAT16, bfloat16, result_type
from ..backend.libraries import resolved
from ..engine.passes import tensor_backward
from ..mode import mode
from ..naming import copy_of, named, renamed_parameters
from ..serialization import located, running
from ..tensor import printing
from ..tensor.tensor import Tensor, wrap
from . import FUNCTIONS, METHODS
from .attributes import ATTRIBUTES
from .binary import floor_divide, number_remainder, pow_public, remainder_any
from .closeness import allclose, contains, equal, isclose
from .compare import eq, ge, gt, le, lt, ne
from .core import add, alias, div, mul, neg, rsub, sub, to_device
from .dims import own_dim
from .forward import make_operator
from .layout import lies_in
from .pointwise import reciprocal
from .registry import as_function
from .reshaping import fill_diagonal_, resize_, set_

__all__ = ["allclose", "bind", "equal", "isclose"]


def operand(fn: Any) -> Any:
    """An operator that leaves operands it does not know to the other side, arrays among them:
    NumPy then computes with this tensor's array, and refuses where that has history."""

    def run(self: Tensor, other: Any) -> Any:
        if not isinstance(other, (Tensor, int, float, complex, np.generic)):
            return NotImplemented
        if isinstance(other, np.generic):
            other = other.item()
        return fn(self, other)

    return named(run, getattr(fn, "__name__", "operator"))


def number_as_tensor(value: Any, like: Tensor) -> Tensor:
    """A number as a zero-dim tensor of the dtype that combining gives."""
    return wrap(full((), value, result_type(like._data, value), like._data))


def rdiv(self: Tensor, other: Any) -> Any:
    """other / self, as the reciprocal times a number."""
    return mul.apply(reciprocal.apply(self), other)


def remainder_of_number(self: Tensor, other: Any) -> Any:
    """other % self, which has no derivative."""
    return number_remainder.apply(number_as_tensor(other, self), self)


def rfloordiv(self: Tensor, other: Any) -> Any:
    """other // self."""
    return floor_divide.apply(number_as_tensor(other, self), self)


def item(self: Tensor) -> Any:
    """The only element as a Python number.

    Raises:
        RuntimeError: not exactly one element.
    """
    if self._data.size != 1:
        raise errors.wrong_shape(
            f"a Tensor with {self._data.size} elements cannot be converted to Scalar; index or "
            "reduce it to one element first"
        )
    return self._data.item()


def python_number(kind: Any) -> Any:
    """float(x), int(x), complex(x); whole numbers have no gradient that could be missed."""

    def convert(self: Tensor) -> Any:
        if kind is not int and self.requires_grad and mode.grad:
            warnings.warn(
                "a tensor with requires_grad=True becomes a plain scalar, and no gradient "
                "reaches it from there. If that is meant, say so with detach().",
                UserWarning,
                stacklevel=2,
            )
        if self._data.size != 1:
            raise errors.wrong_value(
                f"only one element can become a Python scalar; found {self._data.size} elements"
            )
        value = self._data.item()
        if isinstance(value, complex) and kind is not complex:
            if value.imag:
                raise errors.wrong_dtype(
                    f"{value} has an imaginary part, which {kind.__name__}() would drop; take .real"
                )
            value = value.real
        return kind(value)

    return convert


def truth(self: Tensor) -> bool:
    """bool(x) of one element."""
    if self._data.size != 1:
        raise errors.wrong_shape(
            "Boolean value of Tensor with "
            f"{'no values' if not self._data.size else 'more than one value'} is ambiguous"
        )
    return bool(self._data.item())


def as_subclass(self: Tensor, cls: type[Tensor]) -> Tensor:
    """The same data and history as an object of a subclass.

    Raises:
        TypeError: no subclass of the tensor's class.
    """
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise errors.wrong_type(f"cls must be a type that inherits from Tensor, not {cls}")
    out = alias.apply(self)
    seen = object.__new__(cls)
    for slot in ("_data", "_vc", "_node", "_nr", "_req", "_view", "_extra"):
        setattr(seen, slot, getattr(out, slot))
    return seen


def index_number(self: Tensor) -> int:
    """x as an index."""
    if self._data.size != 1 or self._data.dtype.kind not in "iub":
        raise errors.wrong_type(
            "__index__(): an index must be one element of an integer dtype; got shape "
            f"{list(self.shape)} and dtype {self.dtype}"
        )
    return int(self._data.item())


def numpy(self: Tensor, *, force: bool = False) -> Any:
    """The array itself, sharing memory.

    Raises:
        RuntimeError: the tensor requires grad, grad mode is on and ``force`` is not given.
    """
    if self.requires_grad and mode.grad and not force:
        raise errors.requires_grad(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )
    if self.dtype is bfloat16:
        raise errors.wrong_type(
            "Got unsupported ScalarType BFloat16: NumPy has no such dtype; convert with .float()"
        )
    if self.is_meta:
        raise errors.wrong_type("can't convert meta device type tensor to numpy: it has no values")
    if not isinstance(self._data, np.ndarray) and self._data.dtype is not BFLOAT16:
        raise errors.wrong_type(
            f"numpy(): NumPy has no array for a tensor on {self.device}. Copy it to the "
            "host first, with .cpu()."
        )
    return self._data.view()


def array_protocol(self: Tensor, dtype: Any = None, copy: Any = None) -> Any:
    """np.asarray(x)."""
    array = numpy(self)
    return array if dtype is None else array.astype(dtype, copy=False)


def from_array(self: Tensor, array: Any, *rest: Any) -> Any:
    """What a function of NumPy made of this tensor, as a tensor again."""
    array = np.asarray(array)
    return wrap(array.astype(np.uint8) if array.dtype == np.bool_ else array)


def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or one of its sizes."""
    if dim is None:
        return self.shape
    return self._data.shape[own_dim(dim, self._data.ndim)]


def iterate(self: Tensor) -> Any:
    """The slices of the first dimension, as unbind gives them."""
    if not self._data.ndim:
        raise errors.wrong_type("iteration over a 0-d tensor")
    return iter(FUNCTIONS["unbind"](self))


def no_deletion(self: Tensor, index: Any) -> None:
    """A tensor keeps its elements.

    Raises:
        TypeError: always.
    """
    raise errors.wrong_type("Tensor does not support deleting items; index what is to be kept")


def deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """An independent leaf with the same data, flag and gradient.

    Raises:
        RuntimeError: the tensor is not a leaf.
    """
    if id(self) in memo:
        return memo[id(self)]  # type: ignore[no-any-return]
    if not self.is_leaf:
        raise errors.not_a_leaf(
            "Only Tensors created explicitly by the user, the graph leaves, can be "
            "copied by deepcopy; this one was computed. Copy its detach() instead."
        )
    t = wrap(self._data if self.is_meta else copied_memory(self._data, memo), type(self))
    memo[id(self)] = t
    t._req = self._req
    if self._extra is not None and self._extra.grad is not None and type(self) is Tensor:
        t.ensure_extra().grad = copy.deepcopy(self._extra.grad, memo)
    t.__dict__.update(copy.deepcopy(self.__dict__, memo))
    return t


def copied_memory(array: Any, memo: Any) -> Any:
    """A copy of an array within a copy of its memory, which arrays that share it share again."""
    held = memory(array)
    key = ("memory", device_of(array), pointer(held))
    if key not in memo:
        with guard(array):
            memo[key] = held.copy()
    start = pointer(array) - pointer(held)
    return looked_at(memo[key], array.dtype, start, array.shape, array.strides)


def reduce_ex(self: Tensor, protocol: Any) -> Any:
    """Pickling: data, flag and own attributes, no history. Tensors that share memory are pickled
    with all of it, so that they share it again."""
    data = self._data if self.is_meta else host(self._data)
    place: Any = None
    owner = root(data) if type(data) is np.ndarray else data
    if owner is not data:
        at = pointer(data) - pointer(owner)
        held = owner if running.saving else owner.copy()  # only files keep shared memory shared
        data, place = held, (data.shape, data.dtype, at, data.strides)
    state: tuple[Any, ...] = (data, self.requires_grad, self.device, place)
    if type(self) is not Tensor:
        state += (type(self),)
    return (rebuild, state, self.__dict__) if self.__dict__ else (rebuild, state)


def rebuild(
    array: Any,
    requires_grad: bool,
    device: Any = CPU,
    place: Any = None,
    cls: type[Tensor] = Tensor,
) -> Tensor:
    """A leaf from pickled data: of an array, or of the place that it had in its memory. ``cls`` is
    the class of the user's that it had."""
    if place is not None:
        shape, dtype, at, strides = place
        held = array if array.flags.c_contiguous else array.T
        array = np.ndarray(shape, dtype, held.data, at, strides)
    t = wrap(moved(array, resolved(located(device))), cls)
    t._req = requires_grad
    return t


def inplace_operator(name: str) -> Any:
    """``x op= y``."""

    def run(self: Tensor, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else METHODS[name](self, other)

    return named(run, name)


def inverted(self: Tensor) -> Tensor:
    """~self.

    Raises:
        TypeError: floating or complex numbers.
    """
    if self._data.dtype.kind not in "biu":
        raise errors.wrong_type(
            f"~ is there for whole numbers and bools; got a tensor of {self.dtype}"
        )
    return METHODS["bitwise_not"](self)  # type: ignore[no-any-return]


def backwards(self: Tensor) -> Tensor:
    """reversed(self): the indices of the first dimension, last first."""
    return METHODS["flip"](self, 0) if self._data.ndim else self


def matmul_operator(self: Tensor, other: Any) -> Any:
    """self @ other."""
    return FUNCTIONS["matmul"](self, other) if isinstance(other, Tensor) else NotImplemented


def equality(row: Any) -> Any:
    """== and !=: elementwise with tensors and numbers."""

    def run(self: Tensor, other: Any) -> Any:
        if isinstance(other, (Tensor, int, float, complex, np.generic)):
            return row.apply(self, other)
        if isinstance(other, np.ndarray) and row is eq:
            return row.apply(self, wrap(other))
        return NotImplemented

    return named(run, row.row.name)


def text(self: Tensor) -> str:
    """As printed."""
    return printing.to_text(self)


def formatted(self: Tensor, spec: str) -> str:
    """A zero-dim tensor formats as its number.

    Raises:
        TypeError: a tensor with dimensions, and a format is asked for.
    """
    if not self._data.ndim and type(self) is Tensor and not self.is_meta:
        return format(item(self), spec)
    if spec:
        raise errors.wrong_type(
            f"unsupported format string passed to {type(self).__name__}.__format__"
        )
    return str(self)


def cuda(self: Tensor, device: Any = None, non_blocking: bool = False) -> Tensor:
    """This tensor on a CUDA device, the current one unless told otherwise; itself where it is.

    Raises:
        RuntimeError: there is none.
    """
    named = f"cuda:{device}" if isinstance(device, int) else "cuda" if device is None else device
    return to_device(self, named)


def is_contiguous(self: Tensor, memory_format: Any = None) -> bool:
    """Whether the elements lie in memory row by row, or pixel by pixel for channels_last."""
    if memory_format is not None and memory_format.ndim:
        fits = self._data.ndim == memory_format.ndim
        return fits and lies_in(self._data, memory_format.order(self._data.shape))
    return bool(self._data.flags.c_contiguous)


OPERATORS: dict[str, Any] = {
    "__add__": make_operator(add.row), "__radd__": make_operator(add.row),
    "__sub__": make_operator(sub.row), "__rsub__": lambda x, y: rsub.apply(x, y),
    "__mul__": make_operator(mul.row), "__rmul__": make_operator(mul.row),
    "__truediv__": make_operator(div.row), "__rtruediv__": rdiv, "__floordiv__": floor_divide.apply,
    "__rfloordiv__": rfloordiv, "__mod__": remainder_any.apply,
    "__rmod__": remainder_of_number, "__pow__": pow_public,
    "__rpow__": lambda x, y: pow_public(y, x), "__lt__": lt.apply, "__le__": le.apply,
    "__gt__": gt.apply, "__ge__": ge.apply, "__and__": METHODS["bitwise_and"],
    "__or__": METHODS["bitwise_or"], "__xor__": METHODS["bitwise_xor"],
    "__rand__": METHODS["bitwise_and"], "__ror__": METHODS["bitwise_or"],
    "__rxor__": METHODS["bitwise_xor"],
    "__rmatmul__": lambda x, y: matmul_operator(y, x), "__div__": div.apply,
    "__rdiv__": rdiv,
}  # fmt: skip

FAST = ("__add__", "__radd__", "__sub__", "__mul__", "__rmul__", "__truediv__")

IN_PLACE = {
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_",
    "__ifloordiv__": "floor_divide_", "__imod__": "remainder_", "__ipow__": "pow_",
    "__iand__": "bitwise_and_", "__ior__": "bitwise_or_", "__ixor__": "bitwise_xor_",
}  # fmt: skip

PYTHON: dict[str, Any] = {
    "__neg__": neg.apply, "__pos__": METHODS["positive"], "__abs__": METHODS["abs"],
    "__invert__": inverted, "__reversed__": backwards,
    "__matmul__": matmul_operator, "__eq__": equality(eq),
    "__ne__": equality(ne), "__bool__": truth, "__float__": python_number(float),
    "__int__": python_number(int), "__complex__": python_number(complex), "__index__": index_number,
    "__iter__": iterate, "__delitem__": no_deletion, "__repr__": text, "__format__": formatted,
    "__deepcopy__": deepcopy, "__reduce_ex__": reduce_ex, "__array__": array_protocol,
    "__array_wrap__": from_array,
    "__contains__": contains,
    "backward": tensor_backward, "item": item, "numpy": numpy, "size": size,
    "is_contiguous": is_contiguous, "as_subclass": as_subclass, "is_nonzero": truth,
    "cuda": cuda, "resize_": resize_, "set_": set_, "fill_diagonal_": fill_diagonal_, **ATTRIBUTES,
}  # fmt: skip


def tensor_hooks(self: Tensor) -> Any:
    """The hooks of ``register_hook`` by number, None until there was one."""
    held: Any = self._extra if self._node is None else self._node._extra
    if held is None:
        return None
    hooks = held.hooks if self._node is None else (held.tensor_hooks or {}).get(self._nr)
    return None if hooks is None else OrderedDict(hooks)


def bind() -> None:
    """Attach everything to Tensor."""
    for name in ("is_conj", "is_distributed", "is_neg", "is_nonzero"):
        alone = renamed_parameters(copy_of(PYTHON[name], name), {"self": "input"})
        FUNCTIONS[name] = as_function(name, alone)
    for name, fn in METHODS.items():
        if not hasattr(Tensor, name) or name.startswith("__"):
            setattr(Tensor, name, fn)
    for name, fn in OPERATORS.items():
        setattr(Tensor, name, fn if name in FAST else operand(fn))
    for name, target in IN_PLACE.items():
        setattr(Tensor, name, inplace_operator(target))
    for name, fn in PYTHON.items():
        setattr(Tensor, name, fn)
    Tensor._backward_hooks = property(tensor_hooks)  # type: ignore[attr-defined]
    for name in ("T", "mT", "H", "mH"):
        setattr(Tensor, name, property(PROPERTIES[name]))
    for name in ("real", "imag"):
        setattr(Tensor, name, property(PROPERTIES[name], part_setter(PROPERTIES[name])))


def part_setter(part: Any) -> Any:
    """Assigning to a part of a complex tensor writes into it."""
    return lambda self, value: METHODS["__setitem__"](part(self), ..., value)


def all_transposed(x: Tensor) -> Tensor:
    """With the dimensions in reverse order."""
    n = x._data.ndim
    if n != 2:
        errors.caution(
            f"`x.T` of a tensor with {n} dimensions reverses them all, and is deprecated. "
            "Use x.mT for batches of matrices, or x.permute(...) otherwise."
            if n
            else "`x.T` of a 0-D tensor is the tensor itself, and is deprecated. Leave it out."
        )
    return x.permute(tuple(reversed(range(n))))


def last_two(name: str, x: Tensor) -> Tensor:
    """With the last two dimensions exchanged.

    Raises:
        RuntimeError: a single dimension, or none where that is not allowed.
    """
    n = x._data.ndim
    if n == 1 or (n > 2 and name == "H"):
        raise errors.wrong_shape(
            f"tensor.{name} is only supported on matrices{'' if name == 'H' else ' or batches of matrices'}. "
            f"Got {n}-D tensor."
        )
    if not n:
        errors.caution(
            f"`x.{name}` of a 0-D tensor only takes the conjugate, and is deprecated. Use x.conj()."
        )
        return x
    return x.transpose(-2, -1)


def matrix_transposed(x: Tensor) -> Tensor:
    """A view with the last two dimensions exchanged."""
    return last_two("mT", x)


def adjoint(x: Tensor) -> Tensor:
    """The conjugate transpose of a matrix."""
    return last_two("H", x).conj()


def matrix_adjoint(x: Tensor) -> Tensor:
    """The conjugate, with the last two dimensions exchanged."""
    return last_two("mH", x).conj()


PROPERTIES: dict[str, Any] = {
    "T": all_transposed,
    "mT": matrix_transposed,
    "H": adjoint,
    "mH": matrix_adjoint,
    "real": FUNCTIONS["real"],
    "imag": FUNCTIONS["imag"],
}

bind()
