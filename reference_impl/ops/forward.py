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


def unary(row: Row) -> Callable[[Any], Any]:
    """``row`` for one operand: x -> kernel(x)."""
    kernel = row.kernel
    real = node_class(row, 1)
    complex_ = real if row.flags & NO_COMPLEX_GRADIENT else node_class(row, 1, complex_=True)
    names = real.plan.names  # type: ignore[attr-defined]
    if len(names) > 1 or any(n not in ("x", "out") for n in names):
        return general(row)
    saves = names[0] if names else ""
    slow = general(row)
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
        if saves == "x":
            vc = x._vc
            n._kept = (a,)
            n._guards = (vc, vc[0])
        elif saves == "out":
            n._kept = (out,)
            n._guards = (own, 0)
        else:
            n._kept = n._guards = ()
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
    classes: list[Any] = [None, node_class(row, 1), node_class(row, 2), node_class(row, 3)]
    stretched: list[Any] = [None, *(node_class(row, mask, reduce=True) for mask in (1, 2, 3))]
    layouts = [None, *(layout(c) for c in classes[1:])]
    if "" in layouts:
        return slow
    left = classes[1]
    left_saves = layouts[1]
    few = left_saves in (None, "x", "y")  # what the hot path saves beside a number

    def apply(x: Any, y: Any) -> Any:
        if not mode.fast or not isinstance(x, Tensor):
            return slow(x, y)
        if x._view is not None:
            refresh(x)
        a = x._data
        if type(y) is float or type(y) is int:
            if not few or (not x._req and (type(a) is not ndarray or a.dtype.kind != "f")):
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
            n = new(left)
            n._nexts = (x._node or accumulator(x), None)
            n._nrs = (x._nr, 0) if x._nr else None
            if left_saves == "y":
                n._kept = (y,)
                n._guards = (NUMBER_COUNTER, 0)
            elif left_saves == "x":
                n._kept = (a,)
                n._guards = (x._vc, x._vc[0])
            else:
                n._kept = n._guards = ()
        else:
            if not isinstance(y, Tensor):
                return slow(x, y)
            if y._view is not None:
                refresh(y)
            b = y._data
            mask = (x._req and 1) | (y._req and 2)
            if a.dtype is not b.dtype or not (mask or a.dtype.kind == "f"):
                return slow(x, y)
            try:
                out = kernel(a, b)
            except (TypeError, ValueError):  # the general form refuses with the better message
                return slow(x, y)
            if type(out) is not ndarray:
                out = as_array(out)
            if not mask:
                return wrap(out)
            if out.dtype.kind == "c":
                return slow(x, y)
            same = a.shape == b.shape
            n = new(classes[mask] if same else stretched[mask])
            if mask == 3:
                n._nexts = (x._node or accumulator(x), y._node or accumulator(y))
            elif mask == 1:
                n._nexts = (x._node or accumulator(x), None)
            else:
                n._nexts = (None, y._node or accumulator(y))
            n._nrs = (x._nr, y._nr) if x._nr or y._nr else None
            saves = layouts[mask]
            if not saves:
                n._kept = n._guards = ()
            elif saves == "yx":
                va, vb = x._vc, y._vc
                n._kept = (b, a)
                n._guards = (vb, vb[0], va, va[0])
            elif saves == "xy":
                va, vb = x._vc, y._vc
                n._kept = (a, b)
                n._guards = (va, va[0], vb, vb[0])
            elif saves == "y":
                vb = y._vc
                n._kept = (b,)
                n._guards = (vb, vb[0])
            else:
                va = x._vc
                n._kept = (a,)
                n._guards = (va, va[0])
            if not same:  # then gradients are summed down to these shapes
                if mask == 3:
                    n._summed_to = ((a.shape, a.dtype), (b.shape, b.dtype))
                else:
                    needs = a if mask == 1 else b
                    n._summed_to = ((needs.shape, needs.dtype),)
        n._seq = next_seq()
        n._extra = None
        return filled(out, [0], n)

    return named(apply, row.name)


def layout(cls: Any) -> str | None:
    """How the hot path lays out what a node class saves: None for nothing, "" where it cannot."""
    names = "".join(cls.plan.names)
    return None if not names else names if names in ("x", "y", "xy", "yx") else ""


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
            row.refuse(arrays)
        try:
            out = kernel(arrays, *statics) if row.variadic else kernel(*arrays, *statics)
        except ValueError as error:
            if "broadcast" in str(error) or "mismatch" in str(error):
                shapes = [a.shape for a in arrays if hasattr(a, "shape")]
                raise errors.shapes_mismatch(row.name, *shapes) from None
            raise
        except AttributeError:
            for position, x in enumerate(operands, 1):
                if x is not None and not isinstance(x, Tensor):
                    raise errors.not_a_tensor(row.name, position, x) from None
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


def elsewhere(apply: Callable[..., Any], row: Row, operands: Any, statics: Any) -> Any:
    """An operation whose operands do not all live on the device on which work is done now: it is
    done where they live. Zero-dim tensors of the CPU come along.

    Raises:
        RuntimeError: they live on several devices.
    """
    arrays = [x._data if isinstance(x, Tensor) else x for x in operands]
    places = {device_of(a): a for a in arrays_in((arrays, statics)) if a.ndim or not is_host(a)}
    if len(places) > 1:
        raise errors.several_devices(row.name, *places)
    if not places:
        places = {device_of(a): a for a in arrays_in(arrays) if not is_host(a)}
    place, like = next(iter(places.items()))
    moving = row.name != "to_device"
    operands = [x.to(place) if moving and isinstance(x, Tensor) and x.device != place else x
                for x in operands]  # fmt: skip
    statics = [beside(s, like) if hasattr(s, "strides") else s for s in statics]
    with guard(like):
        return apply(operands, *statics) if row.variadic else apply(*operands, *statics)
