"""What a call leaves behind: its results, as tensors, and the node that stands for it in the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array, contiguous, device_of
from ..backend.dtypes import DIFFERENTIABLE
from ..graph.node import Node, new, next_seq, note_call
from ..graph.row import ELEMENTWISE, MULTI_VIEW, NO_COMPLEX_GRADIENT, VIEW, Row
from ..mode import mode
from ..tensor.leaf import accumulator
from ..tensor.state import INFERENCE, NO_COUNTER, NUMBER_COUNTER
from ..tensor.tensor import Tensor, filled
from ..tensor.views import make_view
from .forward_mode import propagate
from .rules import node_class
from .saved_hooks import pack

__all__ = ["finish", "record"]

ndarray = np.ndarray


def finish(row: Row, operands: Any, arrays: Any, statics: Any, out: Any, mask: int) -> Any:
    """Wrap what a kernel returned, recording the call where that is asked for."""
    view = row.flags & (VIEW | MULTI_VIEW)
    tensors = []
    inference = mode.inference and not view
    in_rows = row.in_rows
    for o in out if type(out) is tuple else (out,):
        o = o if type(o) is ndarray else as_array(o)
        if in_rows and not o.flags.c_contiguous:
            o = contiguous(o)
        tensors.append(filled(o, INFERENCE if inference else [0]))
    if mask and (mode.grad or mode.aside) and not mode.inference:
        node = record(row, operands, arrays, statics, tensors, mask)
        for nr, t in enumerate(tensors):
            if t._data.dtype in DIFFERENTIABLE:
                t._node, t._nr, t._req = node, nr, True
                if not mode.grad:
                    t._node, t._nr = set_aside(node, nr), 0
        if mode.saved_hooks:
            pack(node, operands, tensors)
    if view:
        for nr, t in enumerate(tensors):
            make_view(t, operands[0], row, statics, nr)
    if mode.level is not None:
        propagate(row, operands, statics, tensors)
    return tensors[0] if type(out) is not tuple else tuple(tensors)


class Aside(Node):
    """The result of a call under no_grad in the function of a forward-mode transform."""

    __slots__ = ()

    def vjp(self, g: Any) -> tuple[Any, ...]:
        """Nothing, unless the pass is the transpose of the tangents' way."""
        return (g if mode.transposing else None,)

    vjp_graph = vjp


def set_aside(node: Node, nr: int) -> Node:
    """A node for an output of another one, through which only tangents pass."""
    n: Node = new(Aside)
    n._nexts = (node,)
    n._nrs = (nr,) if nr else None
    n._kept = ()
    n._extra = None
    n._seq = next_seq()
    return n


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
    if first.dtype.kind == "c" and row.flags & NO_COMPLEX_GRADIENT:
        raise errors.no_complex_gradient(row.name)
    key = mask, reduce, first.dtype.kind == "c", len(outs)
    cls: Any = row.classes.get(key) or node_class(row, *key)
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
    n._nexts = tuple(nexts)
    n._nrs = tuple(nrs) if nrs else None
    values: list[Any] = []
    guards: list[Any] = []
    for kind, index in plan.sources:
        if kind == "operands":
            joint = JointCounter([x._vc for x in operands])
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
            values.append(arrays[index].dtype)
        else:
            values.append(device_of(arrays[0]))
    n._kept = tuple(values)
    n._guards = tuple(guards)
    if reduce or row.variadic:
        summed = [operands[i] for i in plan.needs] if reduce else operands
        arrays_of = [getattr(x, "_data", x) for x in summed]
        n._summed_to = [(a.shape, a.dtype) for a in arrays_of]
    n._seq = next_seq()
    n._extra = None
    if mode.anomaly is not None:
        note_call(n)
    return n
