"""From a row to the function that overwrites the first operand with what the row computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array, astype, settled
from ..backend.dtypes import BY_NUMPY, DIFFERENTIABLE, FLOATING, get_default_dtype
from ..engine.copy_slices import written
from ..engine.forward_mode import overwrite_tangent, pushed_forward, remember
from ..engine.recording import record
from ..engine.rules import node_class
from ..engine.saved_hooks import pack, packed_before
from ..graph.node import new
from ..graph.row import ELEMENTWISE, FLOAT, Row
from ..mode import mode
from ..naming import named
from ..tensor.state import INFERENCE
from ..tensor.tensor import Tensor, refresh
from ..tensor.views import check_writable
from .forward import OPERANDS, elsewhere, promoted

__all__ = ["make_inplace"]

ndarray = np.ndarray
PLAIN = (ndarray, int, float, bool, complex)
"""The types of operands that live on the CPU or nowhere."""


def make_inplace(row: Row) -> Callable[..., Any]:
    """The function that overwrites the first operand with what ``row`` computes."""
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
                if promotes and not isinstance(y, OPERANDS):
                    raise errors.no_operand(what, row.public_name(row.operands[i]), y)
                arrays.append(y)
        target = x._data
        tracked = bool(mask & row.differentiable) and mode.grad and not mode.inference
        stretched = check_writable(what, x, operands[1:], tracked, row.flags)
        if row.check is not None:
            row.check(arrays)
        if (type(target) is not ndarray or type(arrays[-1]) not in PLAIN) and not settled(
            (arrays, statics)
        ):
            return elsewhere(inplace, row, operands, statics, in_place=True)
        if promotes:
            arrays = promoted(row, arrays, floats)
        if floats and not promotes and BY_NUMPY[arrays[0].dtype].category < FLOATING:
            arrays[0] = astype(arrays[0], get_default_dtype().np)
        if row.refuses:
            row.refuse(arrays[0])
        try:
            out = as_array(kernel(*arrays, *statics))
        except ValueError as error:
            if "broadcast" not in str(error):
                raise
            shapes = [a.shape for a in arrays if hasattr(a, "shape")]
            raise errors.shapes_mismatch(what, *shapes) from None
        except TypeError as error:
            common, held = BY_NUMPY[arrays[0].dtype], BY_NUMPY[target.dtype]
            if promotes and common.category > held.category:
                raise errors.in_place_dtype(what, held, common) from None
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
            cls: Any = node_class(row, mask, False, False)
            if ("operand", 0) in cls.plan.sources:
                overwritten = arrays[0].copy() if arrays[0] is target else arrays[0]
            counters = [y._vc[0] if isinstance(y, Tensor) else 0 for y in operands]
        packed = packed_before(cls.plan, operands, x) if record_it and mode.saved_hooks else {}
        tangents: Any = ()
        if mode.level is not None:
            old = x.clone()  # its tangent is written to as well
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
                pack(node, operands, None, packed)
            rewind(node, operands, saved_at)
            if tangents:
                remember(node, (old, *operands[1:]), [x])
            written(x, node)
        elif x._view is not None:
            written(x, None)
        return x

    return named(inplace, what)


def write_changed(target: Any, out: Any) -> None:
    """Write the elements that differ from what is there: of those that share a place in memory, one
    that does not change must not undo another that does."""
    changed = out != target
    target[changed] = out[changed]


def rewind(node: Any, operands: Any, versions: list[int]) -> None:
    """Guard operands that alias the overwritten one by their version before the write."""
    plan = node.plan
    guards = list(node._guards)
    at = 0
    for position in plan.guards:
        kind, index = plan.sources[position]
        if kind == "operand" and type(guards[at]) is list:
            guards[at + 1] = versions[index]
        at += 2
    node._guards = tuple(guards)
