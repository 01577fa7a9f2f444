"""Forward mode: how the tangents of its operands give those of an operation's results.

The jvp of a row comes from its tag. LINEAR: the row itself, applied to the tangents. MULTILINEAR: a
sum of the row with one operand replaced by its tangent. Any other row: the transpose of its vjp,
which holds for every row since vjps are recorded operations themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backend.base import zeros
from ..backend.dtypes import DIFFERENTIABLE
from ..graph.row import LINEAR, MULTILINEAR
from ..mode import mode
from ..tensor.tangents import set_tangent, tangent_of
from ..tensor.tensor import Tensor, flagged, wrap
from .passes import gradients

__all__ = [
    "overwrite_tangent",
    "propagate",
    "pushed_forward",
]


def overwrite_tangent(x: Tensor, tangent: Tensor) -> None:
    """Give a tensor that was written to its new tangent.

    The tangents of views are views of their base's tangent, so it is written into the memory of the
    old one; a base that had none gets one.
    """
    old = tangent_of(x)
    if old is None and x._view is not None:
        set_tangent(x._view.base, zeros_like(x._view.base))
        old = tangent_of(x)
    with mode.changed(grad=True, level=None):
        if old is None or (old.requires_grad and old.is_leaf):
            old = tangent.clone()  # that of another tensor, perhaps, and this one may be written
        else:
            old.copy_(tangent)
    set_tangent(x, old)


def zeros_like(x: Any) -> Tensor:
    """Zeros for an operand without a tangent."""
    data = x._data if isinstance(x, Tensor) else np.asarray(x)
    return wrap(zeros(data.shape, data.dtype, data))


def propagate(row: Any, operands: Any, statics: Any, outs: list[Tensor]) -> None:
    """Give the outputs of a call their tangents."""
    for out, t in zip(outs, pushed_forward(row, operands, statics), strict=False):
        if t is not None and out._data.dtype in DIFFERENTIABLE:
            set_tangent(out, t)
    remember(outs[0]._node, operands, outs)


def remember(node: Any, operands: Any, outs: list[Tensor]) -> None:
    """Let the node of a call keep the tangents of what it saved, for a backward pass through which
    tangents flow."""
    if node is None or all(tangent_of(x) is None for x in operands):
        return
    known: dict[Any, Any] = {}
    for k in node.plan.guards:
        kind, index = node.plan.sources[k]
        if kind == "operands":
            found = {(k, i): x for i, x in enumerate(operands)}
        else:
            found = {k: outs[index] if kind == "out" else operands[index]}
        for key, x in found.items():
            if tangent_of(x) is not None:
                known[key] = x._extra.tangent
    if known:
        node.ensure_extra().tangents = known


def pushed_forward(row: Any, operands: Any, statics: Any) -> tuple[Any, ...]:
    """The tangents of a call's outputs; empty where no operand has one."""
    tangents = [tangent_of(x) for x in operands]
    if mode.inference or all(t is None for t in tangents):
        return ()
    tracked = mode.grad and any(
        isinstance(x, Tensor) and x.requires_grad for x in (*operands, *tangents)
    )
    with mode.changed(grad=True, level=None):
        results = jvp(row, operands, tangents, statics)
    return tuple(t if t is None or tracked else t.detach() for t in results)


def call(row: Any, operands: Any, statics: Any) -> tuple[Any, ...]:
    """A row's outputs, as a tuple."""
    out = (
        row.generic(list(operands), *statics) if row.variadic else row.generic(*operands, *statics)
    )
    return out if isinstance(out, tuple) else (out,)


def jvp(row: Any, operands: Any, tangents: list[Any], statics: Any) -> tuple[Any, ...]:
    """The outputs' tangents."""
    if row.flags & LINEAR:
        filled = [
            zeros_like(x) if t is None else t for x, t in zip(operands, tangents, strict=True)
        ]
        return call(row, filled, statics)
    if row.flags & MULTILINEAR:
        total = None
        for i, t in enumerate(tangents):
            if t is not None:
                part = call(row, [t if k == i else x for k, x in enumerate(operands)], statics)[0]
                total = part if total is None else total + part
        return (total,)
    return transposed_vjp(row, operands, tangents, statics)


def transposed_vjp(row: Any, operands: Any, tangents: list[Any], statics: Any) -> tuple[Any, ...]:
    """J t as the derivative of u -> J^T u, which is linear in u, along t."""
    # Aliases, so that an operand which another one depends on counts at its own place alone.
    xs = [
        x if t is None else x.view_as(x) if x.requires_grad else flagged(x.detach())
        for x, t in zip(operands, tangents, strict=True)
    ]
    given = [(x, t) for x, t in zip(xs, tangents, strict=True) if t is not None]
    results: list[Any] = []
    for out in call(row, xs, statics):
        if not out.requires_grad:
            results.append(None)
            continue
        if out._data.dtype.kind not in "fcV":  # a comparison in place, which is constant
            results.append(zeros_like(operands[0]))
            continue
        u = flagged(zeros_like(out))
        pulled = gradients([out], [x for x, _ in given], [u], True, True)
        pairs = [
            (p, t) for p, (_, t) in zip(pulled, given, strict=True)
            if p is not None and p.requires_grad
        ]  # fmt: skip
        pushed = gradients([p for p, _ in pairs], [u], [t for _, t in pairs], True, True)
        results.append(zeros_like(out) if pushed[0] is None else pushed[0])
    return tuple(results)
