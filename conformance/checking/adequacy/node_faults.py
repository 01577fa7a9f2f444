"""Faults of nodes, of tangents and of operations in place, with a switch for each row.

Each function changes a module of the copy of the reference as soon as it is loaded.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from .call_faults import WITHIN_A_PASS, is_within_a_pass
from .layout_faults import in_rows, is_spread
from .switches import OFFSET, is_on

ALONE = "gradient, none unless every operand requires grad"
UNCHECKED = "gradient, what was saved is not checked for changes"
REFUSED_NOTHING = "gradient, nothing in a second pass without an error"
ADDS_NOT = "gradient, overwrites the one that is there"
SAVES_ALL = "gradient, every operand is saved"
TANGENT = "tangent"
CONSTANT_TANGENT = "tangent, cut from its history"
LONE_TANGENT = "tangent, of one operand alone"
IN_PLACE = "in place, the target's stride ignored"

MEANT: dict[str, tuple[str, ...]] = {
    ALONE: ("laws.each-operand-alone", "laws.others-get-no-gradient"),
    UNCHECKED: ("laws.saved-operand-was-changed", "laws.saved-result-was-changed"),
    REFUSED_NOTHING: ("laws.second-pass-is-refused",),
    ADDS_NOT: ("laws.gradients-accumulate",),
    SAVES_ALL: ("laws.unsaved-operand-may-change",),
    TANGENT: ("laws.tangent",),
    CONSTANT_TANGENT: ("laws.compositions-of-second-order",),
    LONE_TANGENT: ("laws.tangent-of-each-operand-alone",),
    IN_PLACE: ("laws.in-place-on-a-view",),
}
"""The laws that are meant to notice each."""


def switch_nodes(module: Any) -> None:
    """Put switches into the backward of every node class (`engine.rules`)."""
    make: Any = module.make_node_class

    def make_node_class(row: Any, mask: int, *others: Any) -> Any:
        cls = make(row, mask, *others)
        partial_ = bool(mask) and mask != row.differentiable and not row.variadic
        for name in ("vjp", "vjp_graph", "vjp_partly"):
            setattr(cls, name, _switched_vjp(getattr(cls, name), row.name, partial_))
        return cls

    module.make_node_class = make_node_class


def _switched_vjp(vjp: Callable[..., Any], name: str, partial_: bool) -> Callable[..., Any]:
    def run(node: Any, *args: Any) -> Any:
        nothing = (None,) * len(node._nexts)
        if node._kept is None:
            if node._frees and is_on(name, REFUSED_NOTHING):
                return nothing
            return vjp(node, *args)
        if partial_ and is_on(name, ALONE):
            return nothing
        if is_within_a_pass() and is_on(name, WITHIN_A_PASS):
            return nothing
        if _is_stale(node._guards) and is_on(name, UNCHECKED):
            node._guards = _renewed(node._guards)
        if any(vc[0] != version for vc, version in UNNEEDED.get(node, ())) and is_on(
            name, SAVES_ALL
        ):
            raise node.unusable(*next(pair for pair in UNNEEDED[node] if pair[0][0] != pair[1]))
        result = vjp(node, *args)
        for following in node._nexts:
            if getattr(following, "accumulates", False):
                leaf = following.variable
                if leaf is not None and leaf.grad is not None and is_on(name, ADDS_NOT):
                    leaf.grad = None
        return result

    return run


def _is_stale(guards: tuple[Any, ...]) -> bool:
    return any(
        vc is not None and vc[0] != version
        for vc, version in zip(guards[::2], guards[1::2], strict=True)
    )


def _renewed(guards: tuple[Any, ...]) -> tuple[Any, ...]:
    """Guards that agree with what is there now."""
    return tuple(item for vc in guards[::2] for item in (vc, None if vc is None else vc[0]))


UNNEEDED: weakref.WeakKeyDictionary[Any, list[tuple[Any, int]]] = weakref.WeakKeyDictionary()
"""By node, the version counters of operands that it does not save, with their versions."""


def switch_records(module: Any) -> None:
    """Note for every node the operands that it does not save (`engine.recording`)."""
    make: Any = module.record

    def record(row: Any, operands: Any, *others: Any, **named: Any) -> Any:
        node = make(row, operands, *others, **named)
        if not row.flags & (64 | 128):  # a view shares its counter with its base
            held = [id(vc) for vc in node._guards[::2]]
            unneeded = [
                (x._vc, x._vc[0]) for x in operands if hasattr(x, "_vc") and id(x._vc) not in held
            ]
            if unneeded:
                UNNEEDED[node] = unneeded
        return node

    module.record = record


def _has_slope(operand: Any) -> bool:
    """Whether an operand is a tensor that could have a tangent."""
    return hasattr(operand, "_vc") and operand.dtype.is_floating_point


def switch_tangents(module: Any) -> None:
    """Put switches into the tangents of every row (`engine.forward_mode`)."""
    push: Any = module.pushed_forward

    def pushed_forward(row: Any, operands: Any, statics: Any) -> Any:
        pushed = push(row, operands, statics)
        if any(t is not None for t in pushed):
            if is_on(row.name, TANGENT):
                return tuple(None if t is None else t + OFFSET for t in pushed)
            given = [module.tangent_of(x) is not None for x in operands if _has_slope(x)]
            if sum(given) == 1 < len(given) and is_on(row.name, LONE_TANGENT):
                return tuple(None if t is None else t + OFFSET for t in pushed)
            recorded = any(t is not None and t.requires_grad for t in pushed)
            if recorded and is_on(row.name, CONSTANT_TANGENT):
                return tuple(None if t is None else t.detach() for t in pushed)
        return pushed

    module.pushed_forward = pushed_forward


def switch_writes(module: Any) -> None:
    """Put a switch into every operation in place (`ops.in_place`)."""
    make: Any = module.make_inplace

    def make_inplace(row: Any) -> Any:
        run = make(row)

        def inplace(x: Any, *others: Any) -> Any:
            target: Any = getattr(x, "_data", None)
            if not is_spread(target) or not is_on(row.name, IN_PLACE):
                return run(x, *others)
            memory = in_rows(target)
            before = target.copy()
            result = run(x, *others)
            wanted = np.array(target)
            target[...] = before
            memory[...] = wanted
            return result

        return inplace

    module.make_inplace = make_inplace


MODULES: dict[str, Callable[[ModuleType], None]] = {
    "engine.rules": switch_nodes,
    "engine.recording": switch_records,
    "engine.forward_mode": switch_tangents,
    "ops.in_place": switch_writes,
}
"""What is changed in which module."""
