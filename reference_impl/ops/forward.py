"""From a row to the function that runs it on tensors.

Unary and binary elementwise rows get closures of their own, since they make up most of any program;
all other rows share one general form. The rare modes leave the hot path at its first test,
``mode.fast``. What a call leaves behind is made in ``recording``, the twins in place in ``in_place``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import (
    NOWHERE,
    arrays_in,
    as_array,
    astype,
    beside,
    device_of,
    full,
    guard,
    is_host,
    settled,
)
from ..backend.dtypes import BY_NUMPY, FLOATING, get_default_dtype, result_type
from ..engine.recording import finish
from ..engine.rules import node_class
from ..graph.node import new, next_seq
from ..graph.row import ELEMENTWISE, FLOAT, NO_COMPLEX_GRADIENT, Row
from ..mode import mode
from ..naming import named
from ..tensor.leaf import accumulator
from ..tensor.state import NUMBER_COUNTER
from ..tensor.tensor import Tensor, filled, refresh, wrap

__all__ = ["elsewhere", "make_apply", "make_operator", "promoted"]

ndarray = np.ndarray
OPERANDS = (int, float, complex, ndarray, np.generic)
"""What an operation can combine with tensors."""


def make_apply(row: Row) -> Callable[..., Any]:
    """The function that runs ``row`` on tensors."""
    if row.flags & ELEMENTWISE and not row.statics and row.n_out == 1:
        if row.n_operands == 1 and row.differentiable:
            return unary(row)
        if row.n_operands == 2 and row.differentiable == 3:
            return binary(row)
    return general(row)


# -- the hot path ----------------------------------------------------------------------------------
#
# Rows for one or two operands, on plain NumPy arrays, while no rare mode is active. Whatever is not
# plain goes the general way.


def unary(row: Row) -> Callable[[Any], Any]:
    """``row`` for one operand: x -> kernel(x)."""
    kernel = row.kernel
    slow = general(row)
    real = node_class(row, 1)
    complex_ = real if row.flags & NO_COMPLEX_GRADIENT else node_class(row, 1, complex_=True)
    save = SAVERS.get(names_saved(real))
    if save is None:
        return slow
    picky = bool(row.refuses or row.flags & NO_COMPLEX_GRADIENT)

    def apply(x: Any) -> Any:
        if not mode.fast or not isinstance(x, Tensor):
            return slow(x)
        if x._view is not None:
            refresh(x)
        a = x._data
        if (picky or not x._req) and (type(a) is not ndarray or a.dtype.kind != "f"):
            return slow(x)
        out = kernel(a)
        if type(out) is not ndarray:
            out = as_array(out)
        if not x._req:
            return wrap(out)
        n = new(complex_ if out.dtype.kind == "c" else real)
        n._nexts = (x._node or accumulator(x),)
        n._nrs = (x._nr,) if x._nr else None
        n._seq = next_seq()
        n._extra = None
        own = [0]
        n._kept, n._guards = save(a, x._vc, out, own)
        return filled(out, own, n)

    return named(apply, row.name)


def make_operator(row: Row) -> Callable[[Any, Any], Any]:
    """The operator that runs ``row``: an operand it does not know is left to the other side."""
    form = general(row)

    def slow(x: Any, y: Any) -> Any:
        known = isinstance(y, (Tensor, *OPERANDS)) and not isinstance(y, ndarray)
        return form(x, y) if known else NotImplemented

    return binary(row, named(slow, row.name))


def binary(row: Row, rest: Callable[..., Any] | None = None) -> Callable[[Any, Any], Any]:
    """``row`` for two operands that both have a rule; either may be a Python number.

    ``rest`` takes the calls that are not the hot path, instead of the general form.
    """
    kernel = row.kernel
    slow = rest or general(row)
    alike: list[Any] = [None, *(node_class(row, mask) for mask in (1, 2, 3))]
    stretched: list[Any] = [None, *(node_class(row, mask, reduce=True) for mask in (1, 2, 3))]
    savers: list[Any] = [None, *(PAIR_SAVERS.get(names_saved(cls)) for cls in alike[1:])]
    if None in savers[1:]:
        return slow
    with_number = by_number(row, slow)

    def apply(x: Any, y: Any) -> Any:
        if not mode.fast or not isinstance(x, Tensor):
            return slow(x, y)
        if x._view is not None:
            refresh(x)
        if type(y) is float or type(y) is int:
            return with_number(x, y)
        if not isinstance(y, Tensor):
            return slow(x, y)
        if y._view is not None:
            refresh(y)
        a, b = x._data, y._data
        mask = (x._req and 1) | (y._req and 2)
        if a.dtype is not b.dtype or not (mask or a.dtype.kind == "f"):
            return slow(x, y)
        try:
            out = kernel(a, b)
        except Exception:  # the general form refuses with the better message
            return slow(x, y)
        if type(out) is not ndarray:
            out = as_array(out)
        if not mask:
            return wrap(out)
        if out.dtype.kind == "c":
            return slow(x, y)
        same = a.shape == b.shape
        n = new(alike[mask] if same else stretched[mask])
        if not same:  # then gradients are summed down to these shapes
            ends = (a,) if mask == 1 else (b,) if mask == 2 else (a, b)
            n._summed_to = tuple((end.shape, end.dtype) for end in ends)
        n._nexts = (
            (x._node or accumulator(x)) if mask & 1 else None,
            (y._node or accumulator(y)) if mask & 2 else None,
        )
        n._nrs = (x._nr, y._nr) if x._nr or y._nr else None
        n._seq = next_seq()
        n._extra = None
        n._kept, n._guards = savers[mask](a, x._vc, b, y._vc)
        return filled(out, [0], n)

    return named(apply, row.name)


def by_number(row: Row, slow: Callable[..., Any]) -> Callable[[Tensor, float], Any]:
    """``row`` for a tensor that is no stale view, and a Python number."""
    kernel = row.kernel
    cls = node_class(row, 1)
    save = PAIR_SAVERS.get(names_saved(cls)) if len(names_saved(cls)) < 2 else None
    if save is None:
        return slow

    def apply(x: Tensor, y: float) -> Any:
        a = x._data
        if not x._req and (type(a) is not ndarray or a.dtype.kind != "f"):
            return slow(x, y)
        try:
            out = kernel(a, y)
        except TypeError:  # the general form refuses with the better message
            return slow(x, y)
        if type(out) is not ndarray:
            out = as_array(out)
        if not x._req:
            return wrap(out)
        if out.dtype.kind == "c":
            return slow(x, y)
        n: Any = new(cls)
        n._nexts = (x._node or accumulator(x), None)
        n._nrs = (x._nr, 0) if x._nr else None
        n._seq = next_seq()
        n._extra = None
        n._kept, n._guards = save(a, x._vc, y, NUMBER_COUNTER)
        return filled(out, [0], n)

    return apply


def names_saved(cls: Any) -> tuple[str, ...]:
    """What a node class saves, in order."""
    return tuple(cls.plan.names)


# What a node keeps, and the version counters by which a later change is noticed, each with what it
# was: of one operand and the result, and of two operands.
Saver = Callable[[Any, Any, Any, Any], tuple[tuple[Any, ...], tuple[Any, ...]]]
SAVERS: dict[tuple[str, ...], Saver] = {
    (): lambda a, va, out, vo: ((), ()),
    ("x",): lambda a, va, out, vo: ((a,), (va, va[0])),
    ("out",): lambda a, va, out, vo: ((out,), (vo, 0)),
}
PAIR_SAVERS: dict[tuple[str, ...], Saver] = {
    (): lambda a, va, b, vb: ((), ()),
    ("x",): lambda a, va, b, vb: ((a,), (va, va[0])),
    ("y",): lambda a, va, b, vb: ((b,), (vb, vb[0])),
    ("x", "y"): lambda a, va, b, vb: ((a, b), (va, va[0], vb, vb[0])),
    ("y", "x"): lambda a, va, b, vb: ((b, a), (vb, vb[0], va, va[0])),
}


# -- the general form ------------------------------------------------------------------------------


def general(row: Row) -> Callable[..., Any]:
    """``row`` for any operands, promoting and broadcasting where the row says so."""
    kernel = row.kernel
    k = row.n_operands
    flags = row.flags
    promotes = bool(flags & ELEMENTWISE)
    alone = k == 1 and not row.variadic
    floats = bool(flags & FLOAT)
    differentiable = row.differentiable
    check = row.check
    refuses = row.refuses

    def apply(*args: Any) -> Any:
        operands: Any = tuple(args[0]) if row.variadic else args[:k]
        statics = args[1:] if row.variadic else args[k:]
        arrays = []
        mask = 0
        for i, x in enumerate(operands):
            if isinstance(x, Tensor):
                if x._view is not None:
                    refresh(x)
                arrays.append(x._data)
                if x._req:
                    mask |= 1 << i
            else:
                if alone or (promotes and not isinstance(x, OPERANDS)):
                    raise errors.no_operand(row.name, row.public_name(row.operands[i]), x)
                arrays.append(x)
        if row.variadic:
            mask = 1 if mask else 0
        else:
            mask &= differentiable
        if type(arrays[0]) is not ndarray and not settled((arrays, statics)):
            return elsewhere(apply, row, operands, statics)
        if check is not None:
            check(arrays)
        if promotes:
            arrays = promoted(row, arrays, floats)
        elif floats and BY_NUMPY[arrays[0].dtype].category < FLOATING:
            arrays[0] = astype(arrays[0], get_default_dtype().np)
        if refuses:
            row.refuse(arrays[0])
        try:
            out = kernel(arrays, *statics) if row.variadic else kernel(*arrays, *statics)
        except ValueError as error:
            if "broadcast" in str(error) or "mismatch" in str(error):
                shapes = [a.shape for a in arrays if hasattr(a, "shape")]
                raise errors.shapes_mismatch(row.name, *shapes) from None
            raise
        except AttributeError:
            for name, x in zip(row.operands, operands, strict=False):
                if x is not None and not isinstance(x, Tensor):
                    raise errors.not_a_tensor(row.name, row.public_name(name), x) from None
            raise
        except TypeError as error:
            if not settled((arrays, statics)):
                return elsewhere(apply, row, operands, statics)
            if "ufunc" in str(error) or "numpy" in str(error) or "cupy" in str(error):
                raise errors.unsupported_dtype(row.name, arrays[0].dtype) from None
            raise
        return finish(row, operands, arrays, statics, out, mask)

    return named(apply, row.name)


def promoted(row: Row, arrays: list[Any], floats: bool) -> list[Any]:
    """The operands of an elementwise row in one common dtype."""
    dtype = getattr(arrays[0], "dtype", None)
    for a in arrays:
        if type(a) is not ndarray or a.dtype is not dtype:
            break
    else:
        if not floats or a.dtype.kind == "f":
            return arrays
    dtype = result_type(*arrays)
    if floats and BY_NUMPY[dtype].category < FLOATING:
        dtype = get_default_dtype().np
    return [
        a if a is None else astype(a, dtype) if hasattr(a, "shape") else number(a, dtype, arrays)
        for a in arrays
    ]


def number(value: Any, dtype: Any, arrays: list[Any]) -> Any:
    """A Python number as a zero-dim array beside others."""
    like = next((a for a in arrays if hasattr(a, "strides")), NOWHERE)
    if isinstance(like, ndarray):
        return astype(np.asarray(value), dtype)
    return full((), value, dtype, like)


def elsewhere(
    apply: Callable[..., Any], row: Row, operands: Any, statics: Any, in_place: bool = False
) -> Any:
    """An operation whose operands do not all live on the device on which work is done now: it is
    done where they live. Zero-dim tensors of the CPU come along, unless they are overwritten.

    Raises:
        RuntimeError: they live on several devices.
    """
    arrays = [x._data if isinstance(x, Tensor) else x for x in operands]
    places = {device_of(a): a for a in arrays_in((arrays, statics)) if a.ndim or not is_host(a)}
    if len(places) > 1:
        raise errors.several_devices(row.name, *places)
    place, like = next(iter(places.items()))
    if in_place and operands[0].device != place:
        raise errors.several_devices(row.name + "_", place, operands[0].device)
    moving = row.name != "to_device"
    operands = [x.to(place) if moving and isinstance(x, Tensor) and x.device != place else x
                for x in operands]  # fmt: skip
    statics = [beside(s, like) if hasattr(s, "strides") else s for s in statics]
    with guard(like):
        return apply(operands, *statics) if row.variadic else apply(*operands, *statics)
