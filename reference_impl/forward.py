"""From a row to the functions that run it: out of place, recorded or not, and in place.

Unary and binary elementwise rows get closures of their own, since they make up most of any program;
all other rows share one general form. The rare modes leave the hot path at its first test,
``mode.fast``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors
from .backend.base import (
    NOWHERE,
    arrays_in,
    as_array,
    astype,
    beside,
    contiguous,
    device_of,
    full,
    guard,
    is_host,
    settled,
)
from .dtypes import BY_NUMPY, DIFFERENTIABLE, FLOATING, get_default_dtype, result_type
from .mode import mode
from .node import Node, accumulator, new, next_seq, note_call
from .state import INFERENCE
from .tensor import Tensor, refresh, wrap
from .views import make_view

if TYPE_CHECKING:
    from .op import Row

__all__ = ["make_apply", "make_inplace", "make_operator", "record"]

ELEMENTWISE, FLOAT, VIEW, MULTI_VIEW = 1, 32, 64, 128
ndarray = np.ndarray
PLAIN = (ndarray, int, float, bool, complex)
"""The types of operands that live on the CPU or nowhere."""
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
    real = row.node_class(1)
    complex_ = row.node_class(1, complex_=True)
    names = real.plan.names  # type: ignore[attr-defined]
    if len(names) > 1 or any(n not in ("x", "out") for n in names):
        return general(row)
    saves = names[0] if names else ""
    slow = general(row)
    picky = bool(row.refuses)

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
        n.nexts = (x._node or accumulator(x),)
        n.nrs = (x._nr,) if x._nr else None
        n.seq = next_seq()
        n.extra = None
        t = new(Tensor)
        t._data = out
        t._vc = vc = [0]
        t._node = n
        t._nr = 0
        t._req = True
        t._view = t._extra = None
        if saves == "x":
            vc = x._vc
            n.saved = (a, vc, vc[0])
        elif saves == "out":
            n.saved = (out, vc, 0)
        else:
            n.saved = ()
        return t

    return apply


def make_operator(row: Row) -> Callable[[Any, Any], Any]:
    """The operator that runs ``row``: an operand it does not know is left to the other side."""
    form = general(row)

    def slow(x: Any, y: Any) -> Any:
        known = isinstance(y, (Tensor, *OPERANDS)) and not isinstance(y, ndarray)
        return form(x, y) if known else NotImplemented

    return binary(row, slow)


def binary(row: Row, rest: Callable[..., Any] | None = None) -> Callable[[Any, Any], Any]:
    """``row`` for two operands that both have a rule; either may be a Python number.

    ``rest`` takes the calls that are not the hot path, instead of the general form.
    """
    kernel = row.kernel
    slow = rest or general(row)
    classes: list[Any] = [None, row.node_class(1), row.node_class(2), row.node_class(3)]
    stretched: list[Any] = [None, *(row.node_class(mask, reduce=True) for mask in (1, 2, 3))]
    layouts = [None, *(layout(c) for c in classes[1:])]
    if "" in layouts:
        return slow
    left = classes[1]
    left_saves = layouts[1]

    def apply(x: Any, y: Any) -> Any:
        if not mode.fast or not isinstance(x, Tensor):
            return slow(x, y)
        if x._view is not None:
            refresh(x)
        a = x._data
        if type(y) is float or type(y) is int:
            if not x._req and (type(a) is not ndarray or a.dtype.kind != "f"):
                return slow(x, y)
            out = kernel(a, y)
            if type(out) is not ndarray:
                out = as_array(out)
            if not x._req:
                return wrap(out)
            if out.dtype.kind == "c":
                return slow(x, y)
            n = new(left)
            n.nexts = (x._node or accumulator(x), None)
            n.nrs = (x._nr, 0) if x._nr else None
            if left_saves == "y":
                n.saved = (y, NUMBER_COUNTER, 0)
            elif left_saves == "x":
                n.saved = (a, x._vc, x._vc[0])
            else:
                n.saved = ()
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
                n.nexts = (x._node or accumulator(x), y._node or accumulator(y))
            elif mask == 1:
                n.nexts = (x._node or accumulator(x), None)
            else:
                n.nexts = (None, y._node or accumulator(y))
            n.nrs = (x._nr, y._nr) if x._nr or y._nr else None
            saves = layouts[mask]
            if not saves:
                n.saved = ()
            elif saves == "yx":
                va, vb = x._vc, y._vc
                n.saved = (b, a, vb, vb[0], va, va[0])
            elif saves == "xy":
                va, vb = x._vc, y._vc
                n.saved = (a, b, va, va[0], vb, vb[0])
            elif saves == "y":
                vb = y._vc
                n.saved = (b, vb, vb[0])
            else:
                va = x._vc
                n.saved = (a, va, va[0])
            if not same:  # then gradients are summed down to these shapes
                if mask & 1:
                    n.saved += ((a.shape, a.dtype),)
                if mask & 2:
                    n.saved += ((b.shape, b.dtype),)
        n.seq = next_seq()
        n.extra = None
        t = new(Tensor)
        t._data = out
        t._vc = [0]
        t._node = n
        t._nr = 0
        t._req = True
        t._view = t._extra = None
        return t

    return apply


NO_COUNTER = (0,)
"""Guards copies, which nobody else holds."""
NUMBER_COUNTER = (0, "number")
"""Guards Python numbers."""


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

    return apply


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


def finish(row: Row, operands: Any, arrays: Any, statics: Any, out: Any, mask: int) -> Any:
    """Wrap what a kernel returned, recording the call where that is asked for."""
    view = row.flags & (VIEW | MULTI_VIEW)
    tensors = []
    inference = mode.inference and not view
    in_rows = row.in_rows
    for o in out if type(out) is tuple else (out,):
        t = new(Tensor)
        o = o if type(o) is ndarray else as_array(o)
        t._data = contiguous(o) if in_rows and not o.flags.c_contiguous else o
        t._vc = INFERENCE if inference else [0]
        t._node = None
        t._nr = 0
        t._req = False
        t._view = t._extra = None
        tensors.append(t)
    if mask and mode.grad and not mode.inference:
        node = record(row, operands, arrays, statics, tensors, mask)
        for nr, t in enumerate(tensors):
            if t._data.dtype in DIFFERENTIABLE:
                t._node, t._nr, t._req = node, nr, True
        if mode.saved_hooks:
            from .saved_hooks import pack

            pack(node, operands, tensors)
    if view:
        for t in tensors:
            make_view(t, operands[0], row, statics)
    if mode.level is not None:
        from .tangents import propagate

        propagate(row, operands, statics, tensors)
    return tensors[0] if type(out) is not tuple else tuple(tensors)


class JointCounter:
    """The version counters of a list of operands, read like one."""

    __slots__ = ("counters",)

    def __init__(self, counters: list[Any]) -> None:
        self.counters = counters

    def __getitem__(self, index: int) -> tuple[int, ...]:
        return tuple(vc[0] for vc in self.counters)


def record(
    row: Row,
    operands: Any,
    arrays: Any,
    statics: Any,
    outs: list[Tensor],
    mask: int,
    overwritten: Any = None,
) -> Node:
    """The node of one call.

    Args:
        row: the operation.
        operands: its tensors (or numbers, or None).
        arrays: their arrays, promoted.
        statics: its other parameters.
        outs: the outputs, not yet connected.
        mask: the operands that need a gradient.
        overwritten: for an in-place call, a copy of what its first operand held.
    """
    first = outs[0]._data
    reduce = False
    if row.flags & ELEMENTWISE:
        shape, dtype = first.shape, first.dtype
        for x in operands:
            if isinstance(x, Tensor) and (x._data.shape != shape or x._data.dtype is not dtype):
                reduce = True
    key = mask, reduce, first.dtype.kind == "c"
    cls: Any = row.classes.get(key) or row.node_class(*key)
    plan = cls.plan
    n: Node = new(cls)
    nexts: list[Node | None] = []
    nrs: list[int] | None = None
    for i, x in enumerate(operands):
        if isinstance(x, Tensor) and x._req and (row.variadic or mask >> i & 1):
            nexts.append(x._node or accumulator(x))
            if x._nr:
                nrs = nrs or [0] * len(operands)
                nrs[i] = x._nr
        else:
            nexts.append(None)
    n.nexts = tuple(nexts)
    n.nrs = tuple(nrs) if nrs else None
    values: list[Any] = []
    guards: list[Any] = []
    for kind, index in plan.sources:
        if kind == "operands":
            joint = JointCounter([x._vc if isinstance(x, Tensor) else NO_COUNTER for x in operands])
            values.append(arrays)
            guards += [joint, joint[0]]
        elif kind == "operand":
            x = operands[index]
            if index == 0 and overwritten is not None:
                values.append(overwritten)
                guards += [NO_COUNTER, 0]
            elif isinstance(x, Tensor):
                values.append(arrays[index])
                vc = x._vc
                guards += [vc, vc[0]]
            else:
                values.append(arrays[index])
                guards += [NUMBER_COUNTER, 0]
        elif kind == "out":
            t = outs[index]
            values.append(t._data)
            guards += [t._vc, t._vc[0]]
        elif kind == "static":
            values.append(statics[index])
        elif kind == "shape":
            values.append(
                [a.shape for a in arrays] if row.variadic else getattr(arrays[index], "shape", ())
            )
        elif kind == "dtype":
            values.append(arrays[0].dtype)
        elif kind == "device":
            values.append(device_of(arrays[0]))
        else:
            values.append(first.shape)
    if reduce:
        for i in plan.needs:
            guards.append((operands[i]._data.shape, operands[i]._data.dtype))
    elif row.variadic:
        guards.append([getattr(x, "_data", x).dtype for x in operands])
    n.saved = (*values, *guards)
    n.seq = next_seq()
    n.extra = None
    if mode.anomaly is not None:
        note_call(n)
    return n


# -- in place --------------------------------------------------------------------------------------


def make_inplace(row: Row) -> Callable[..., Any]:
    """The function that overwrites the first operand with what ``row`` computes."""
    from .views import check_writable, written

    kernel = row.kernel
    k = row.n_operands
    what = row.name + "_"
    floats = bool(row.flags & FLOAT)
    promotes = bool(row.flags & ELEMENTWISE)

    def inplace(*args: Any) -> Any:
        operands = args[:k]
        statics = args[k:]
        x: Tensor = operands[0]
        if x._view is not None:
            refresh(x)
        arrays = [x._data]
        mask = 1 if x._req else 0
        for i, y in enumerate(operands[1:], 1):
            if isinstance(y, Tensor):
                if y._view is not None:
                    refresh(y)
                arrays.append(y._data)
                if y._req:
                    mask |= 1 << i
            else:
                arrays.append(y)
        target = x._data
        tracked = bool(mask & row.differentiable) and mode.grad and not mode.inference
        stretched = check_writable(what, x, operands[1:], tracked)
        if row.check is not None:
            row.check(arrays)
        if (type(target) is not ndarray or type(arrays[-1]) not in PLAIN) and not settled(
            (arrays, statics)
        ):
            return elsewhere(inplace, row, operands, statics)
        if promotes:
            arrays = promoted(row, arrays, floats)
        if row.refuses:
            row.refuse(arrays)
        try:
            out = as_array(kernel(*arrays, *statics))
        except ValueError as error:
            if "broadcast" not in str(error):
                raise
            shapes = [a.shape for a in arrays if hasattr(a, "shape")]
            raise errors.shapes_mismatch(what, *shapes) from None
        except TypeError as error:
            if "ufunc" in str(error):
                raise errors.unsupported_dtype(what, target.dtype) from None
            raise
        if out.shape != target.shape:
            raise errors.in_place_shape(what, target.shape, out.shape)
        if out.dtype is not target.dtype:
            made, held = BY_NUMPY[out.dtype], BY_NUMPY[target.dtype]
            if made.category > held.category:
                raise errors.in_place_dtype(what, held, made)
        record_it = tracked and target.dtype in DIFFERENTIABLE
        overwritten = None
        if record_it:
            mask &= row.differentiable
            cls: Any = row.node_class(mask, False, False)
            if ("operand", 0) in cls.plan.sources:
                overwritten = arrays[0].copy() if arrays[0] is target else arrays[0]
            counters = [y._vc[0] if isinstance(y, Tensor) else 0 for y in operands]
        tangents: Any = ()
        if mode.level is not None:
            from .tangents import overwrite_tangent, pushed_forward, remember

            old = wrap(target.copy()) if not x._req else x.clone()
            if x._extra is not None:
                old.ensure_extra().tangent = x._extra.tangent
            tangents = pushed_forward(row, (old, *operands[1:]), statics)
        if stretched:
            write_changed(target, out)
        else:
            target[...] = out
        if tangents and tangents[0] is not None:
            overwrite_tangent(x, tangents[0])
        if x._vc is not INFERENCE:
            x._vc[0] += 1
        if record_it:
            shadow = new(Tensor)
            shadow._data, shadow._vc = target, x._vc
            saved_at = counters
            node = record(row, operands, arrays, statics, [shadow], mask, overwritten)
            if mode.saved_hooks:
                from .saved_hooks import pack

                pack(node, operands, None)
            rewind(node, operands, saved_at)
            if tangents:
                remember(node, (old, *operands[1:]), [x])
            written(x, node)
        elif x._view is not None:
            written(x, None)
        return x

    return inplace


def write_changed(target: Any, out: Any) -> None:
    """Write the elements that differ from what is there: of those that share a place in memory, one
    that does not change must not undo another that does."""
    changed = out != target
    target[changed] = out[changed]


def rewind(node: Any, operands: Any, versions: list[int]) -> None:
    """Guard operands that alias the overwritten one by their version before the write."""
    plan = node.plan
    saved = list(node.saved)
    at = len(plan.names)
    for position in plan.guards:
        kind, index = plan.sources[position]
        if kind == "operand" and type(saved[at]) is list:
            saved[at + 1] = versions[index]
        at += 2
    node.saved = tuple(saved)
