"""Making tensors: from data, filled, and random."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes, errors
from ..backend.base import astype
from ..device import Device
from ..dtypes import DIFFERENTIABLE, DType
from ..tensor import Tensor, set_requires_grad, wrap
from .core import cast_to, placed_on, same_dtype
from .registry import FUNCTIONS, function, method
from .shape import sizes

__all__ = ["manual_seed", "tensor"]


def made(array: Any, requires_grad: Any = False, dtype: Any = None, device: Any = None) -> Tensor:
    """A new leaf around an array, brought to an array dtype and a device.

    Raises:
        TypeError: ``requires_grad`` is not a bool.
        RuntimeError: the dtype cannot require grad.
    """
    if type(requires_grad) is not bool:
        raise TypeError(
            f"argument 'requires_grad' must be bool, not {type(requires_grad).__name__}"
        )
    if dtype is not None:
        array = astype(array, dtype)
    if device is not None:
        array = placed_on(array, Device(device))
    if requires_grad and array.dtype not in DIFFERENTIABLE:
        raise errors.integer_requires_grad(dtypes.from_numpy(array.dtype))
    t = wrap(array)
    if requires_grad:
        set_requires_grad(t, True)
    return t


def plain(data: Any) -> Any:
    """Python data with tensors replaced by their values."""
    if isinstance(data, Tensor):
        return data._data
    if isinstance(data, (list, tuple)):
        return [plain(d) for d in data]
    return data


def array_of(data: Any, dtype: DType | None) -> Any:
    """A new array from Python data, an array or a tensor, its dtype inferred where not given.

    Raises:
        TypeError: the data is not numeric.
        ValueError: nested sequences of unequal length.
    """
    if isinstance(data, Tensor):
        array = data._data
    elif isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
        dtypes.from_numpy(array.dtype)
    else:
        try:
            array = np.array(plain(data))
        except ValueError as error:
            raise ValueError(
                f"expected sequences of equal length at every level ({error})"
            ) from None
        if array.dtype == object or array.dtype.kind not in "biufc":
            raise TypeError(f"new(): invalid data type '{type(data).__name__}'; numbers are needed")
        if dtype is None:
            array = array.astype(inferred(data, array))
    kind = array.dtype if dtype is None else dtypes.array_dtype(dtype)
    return astype(np.array(array, dtype=kind, order="C"), kind)


def inferred(data: Any, array: Any) -> Any:
    """The array dtype for Python data: bool, int64, or the default floating or complex dtype."""
    first = data
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if isinstance(first, (Tensor, np.generic, np.ndarray)):
        return array.dtype
    default = dtypes.get_default_dtype()
    kinds = {"b": np.dtype(bool), "i": np.dtype("int64"), "u": np.dtype("int64"),
             "f": default.np, "c": default.to_complex().np}  # fmt: skip
    return default.np if array.size == 0 else kinds[array.dtype.kind]


@function("tensor")
def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A leaf that holds a copy of the data."""
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use source.clone().detach() or "
            "source.clone().detach().requires_grad_(True), rather than torch.tensor(source).",
            UserWarning,
            stacklevel=2,
        )
    return made(array_of(data, dtype), requires_grad, None, device)


@function("as_tensor")
def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """The data as a tensor: the same object where it is one already, sharing memory with an
    array."""
    if isinstance(data, Tensor):
        return data if dtype is None else cast_to(data, dtypes.array_dtype(dtype))
    if isinstance(data, np.ndarray) and (dtype is None or same_dtype(data.dtype, dtype.np)):
        dtypes.from_numpy(data.dtype)
        return wrap(data)
    return made(array_of(data, dtype), False, None, device)


@function("asarray")
def asarray(
    obj: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """As ``as_tensor``; ``requires_grad=False`` detaches, True switches it on, None leaves it.

    Raises:
        ValueError: ``copy=False``, and ``obj`` is no tensor or array of the wanted dtype.
    """
    t = as_tensor(obj, dtype)
    if copy is False:
        shared = isinstance(obj, np.ndarray) and (dtype is None or dtype.np == obj.dtype)
        if t is not obj and not shared:
            message = f"can't alias {type(obj).__name__} into a tensor of dtype {t.dtype}"
            raise ValueError(f"{message}; a copy must be allowed")
    if copy:
        t = t.clone() if requires_grad is not False else wrap(t._data.copy())
    if requires_grad is None:
        return t
    if not requires_grad:
        if t.requires_grad:
            if t is not obj or t._node is not None:
                return t.detach()
            t.requires_grad = False
        return t
    return t if t.requires_grad else t.requires_grad_()


@function("from_numpy")
def from_numpy(array: Any) -> Tensor:
    """A tensor that shares memory with an array.

    Raises:
        TypeError: not an array, or of a dtype that no tensor can hold.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtypes.from_numpy(array.dtype)
    return wrap(array)


def default(dtype: DType | None) -> Any:
    """The array dtype, or the default one."""
    return dtypes.array_dtype(dtype or dtypes.get_default_dtype())


generator = np.random.Generator(np.random.PCG64(0))
RANDOM = {"generator": generator, "seed": 0}


def manual_seed(seed: int) -> None:
    """Start the random numbers anew from a seed."""
    RANDOM["generator"] = np.random.Generator(np.random.PCG64(seed % (1 << 63)))
    RANDOM["seed"] = seed


def rng() -> Any:
    """The generator in use."""
    return RANDOM["generator"]


FUNCTIONS["manual_seed"] = manual_seed


def filler(name: str, fill: Any) -> None:
    """NAME(*size), NAME_like(input) and Tensor.new_NAME(*size)."""

    def fn(
        *size: Any,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
        out: Any = None,
        generator: Any = None,
        layout: Any = None,
        pin_memory: bool = False,
    ) -> Tensor:
        kind = default(dtype)
        return made(fill(sizes(size), kind), requires_grad, kind, device)

    def like(
        input: Tensor,
        *,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
        memory_format: Any = None,
        layout: Any = None,
    ) -> Tensor:
        kind = input._data.dtype if dtype is None else dtypes.array_dtype(dtype)
        place = input.device if device is None else device
        return made(fill(input._data.shape, kind), requires_grad, kind, place)

    def new(
        self: Tensor,
        *size: Any,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        kind = self._data.dtype if dtype is None else dtypes.array_dtype(dtype)
        place = self.device if device is None else device
        return made(fill(sizes(size), kind), requires_grad, kind, place)

    fn.__doc__ = f"A tensor of this shape: {name}."
    like.__doc__ = f"A tensor of the same shape and dtype: {name}; requires_grad is not inherited."
    new.__doc__ = (
        f"A tensor of this shape and the same dtype: {name}; requires_grad is not inherited."
    )
    function(name)(fn)
    function(name + "_like")(like)
    if not name.startswith("rand"):
        method("new_" + name)(new)


filler("zeros", np.zeros)
filler("ones", np.ones)
filler("empty", np.zeros)
filler("rand", lambda shape, dtype: rng().random(shape))
filler("randn", lambda shape, dtype: np.asarray(rng().standard_normal(shape)))


@function("full")
def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of this shape holding one value."""
    value = plain(fill_value)
    kind = inferred(value, np.asarray(value)) if dtype is None else dtypes.array_dtype(dtype)
    return made(np.full(sizes((size,)), value, dtype=kind), requires_grad, kind, device)


@function("full_like")
def full_like(
    input: Tensor, fill_value: Any, *, dtype: DType | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of the same shape and dtype holding one value."""
    kind = input._data.dtype if dtype is None else dtypes.array_dtype(dtype)
    return made(np.full(input._data.shape, plain(fill_value), dtype=kind), requires_grad, kind)


@method("new_full")
def new_full(
    self: Tensor,
    size: Any,
    fill_value: Any,
    *,
    dtype: DType | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of this shape and the same dtype holding one value."""
    kind = self._data.dtype if dtype is None else dtypes.array_dtype(dtype)
    return made(np.full(sizes((size,)), plain(fill_value), dtype=kind), requires_grad, kind)


@method("new_tensor")
def new_tensor(
    self: Tensor, data: Any, *, dtype: DType | None = None, requires_grad: bool = False
) -> Tensor:
    """A leaf with this data and the same dtype."""
    return made(array_of(data, dtype or self.dtype), requires_grad)


@function("arange")
def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers from start up to, not including, end."""
    if end is None:
        start, end = 0, start
    integral = all(isinstance(v, int) for v in (start, end, step))
    kind = np.dtype("int64") if integral and dtype is None else default(dtype)
    return made(np.arange(start, end, step), requires_grad, kind, device)


@function("linspace")
def linspace(
    start: Any, end: Any, steps: int, *, dtype: DType | None = None, requires_grad: bool = False
) -> Tensor:
    """Evenly spaced numbers from start to end, both included."""
    return made(np.linspace(start, end, steps), requires_grad, default(dtype))


@function("logspace")
def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: DType | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Powers of a base from start to end."""
    return made(np.logspace(start, end, steps, base=base), requires_grad, default(dtype))


@function("eye")
def eye(
    n: int, m: int | None = None, *, dtype: DType | None = None, requires_grad: bool = False
) -> Tensor:
    """The identity matrix."""
    return made(np.eye(n, m), requires_grad, default(dtype))


@function("randint")
def randint(
    low: int,
    high: Any = None,
    size: Any = None,
    *,
    dtype: DType | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random integers in [low, high)."""
    if size is None:
        low, high, size = 0, low, high
    drawn = np.asarray(rng().integers(low, high, sizes((size,))))
    return made(drawn, requires_grad, np.dtype("int64") if dtype is None else default(dtype))


@function("randperm")
def randperm(n: int) -> Tensor:
    """A random order of 0 .. n-1."""
    return wrap(rng().permutation(n).astype(np.int64))


@function("bernoulli")
def bernoulli(input: Tensor) -> Tensor:
    """1 with this probability, else 0."""
    return made(rng().random(input._data.shape) < input._data, False, input._data.dtype)


def _filled_random(name: str, draw: Any) -> None:
    def fn(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        from .core import copy_

        return copy_(
            self, made(np.asarray(draw(self._data.shape, *args, **kwargs)), False, self._data.dtype)
        )

    fn.__doc__ = f"Fill with random numbers: {name}."
    method(name)(fn)


_filled_random("uniform_", lambda shape, a=0.0, b=1.0: rng().uniform(a, b, shape))
_filled_random("normal_", lambda shape, mean=0.0, std=1.0: rng().normal(mean, std, shape))
_filled_random("random_", lambda shape, a=0, b=1 << 24: rng().integers(a, b, shape))
_filled_random("bernoulli_", lambda shape, p=0.5: rng().random(shape) < p)
