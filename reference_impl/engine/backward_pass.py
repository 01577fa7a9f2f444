"""The backward pass: one loop over the nodes, latest first, no recursion.

First every node that can be reached is counted with the number of edges that lead to it. Then nodes
run once all those edges have delivered; of the nodes that are ready, the one recorded last runs
first, and a leaf's accumulation at once. Without ``create_graph`` gradients are raw arrays, which
become tensors only for hooks and when they are stored.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush, heapreplace
from itertools import count, repeat
from operator import attrgetter
from threading import RLock
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import arrays_in, as_array, astype, is_dense, overlaps_itself
from ..backend.libraries import devices_in_use, library_of
from ..backend.silence import silent
from ..graph.node import Node
from ..mode import in_another_thread, mode
from ..tensor.state import INFERENCE
from ..tensor.tensor import Tensor, wrap
from .running_hooks import (
    as_tensor,
    call_hooks,
    node_grads,
    node_posthooks,
    node_prehooks,
    replacements,
    tensor_hooks,
)
from .saved_hooks import unpacked

__all__ = ["as_tensor", "run"]

ndarray = np.ndarray

PASSES = count()
ACCUMULATING = RLock()
"""Held while a gradient is added to ``.grad``, which passes in other threads may add to as well."""
MOST_NESTED = 20
"""How many passes run within each other in one thread. Python limits how deeply calls nest there."""
BY_SEQ = attrgetter("_seq")


Captures = dict[Any, Any]
States = dict[Any, Any]
"""By node the number of edges that are still to deliver, as long as none has; then a list of that
number, the gradient so far, and whether its buffer is ours to add into."""

NONE: frozenset[Any] = frozenset()
ZEROS = repeat(0)


class Every:
    """A set of all nodes there are."""

    def __contains__(self, node: object) -> bool:
        return True


EVERY: Any = Every()


class Pass:
    """A backward pass that is running.

    Attributes:
        number: tells it apart from all others.
        states: how far each of the nodes is that it goes through.
        partly: the nodes of which some but not all operands lead to a captured one.
        ends: the captured nodes that lead to no other.
        keep: leave saved tensors in place.
        create: gradients are tensors, not arrays.
        captures: where gradients are wanted, by (node, output number), or None for everywhere.
        accumulate: whether captured AccumulateGrad nodes add into ``.grad``.
        gathered: what hooks over several tensors have been given so far, by hook.
        depth: how many passes it runs within.
        modes: those in which each node starts; what a hook leaves changed ends with its node.
    """

    __slots__ = (
        "accumulate", "captures", "create", "depth", "ends", "gathered", "keep", "modes", "number",
        "partly", "states",
    )  # fmt: skip

    modes: dict[str, Any]

    def __init__(
        self,
        roots: list[tuple[Node, int, Any]],
        keep: bool,
        create: bool,
        captures: Captures | None,
        accumulate: bool,
    ) -> None:
        self.number = next(PASSES)
        self.keep = keep
        self.create = create
        self.captures = captures
        self.accumulate = accumulate
        self.partly: Collection[Node] = NONE
        self.ends: Collection[Node] = NONE
        if captures is None:
            self.states = count_edges(roots)
        else:
            self.states, self.partly, self.ends = needed(roots, captures)
        if mode.several:
            self.partly = EVERY
        self.gathered: dict[Any, Any] = {}
        around = mode.backward_pass
        self.depth: int = 0 if around is None else around.depth + 1


def current_pass() -> Pass:
    """The innermost pass that is running in this thread."""
    return mode.backward_pass  # type: ignore[no-any-return]


def run(
    roots: list[tuple[Node, int, Any]],
    keep: bool,
    create: bool,
    captures: Captures | None,
    accumulate: bool,
) -> None:
    """Send gradients from ``roots`` through the graph.

    Args:
        roots: (node, output number, gradient): arrays, or tensors under ``create``.
        keep: leave saved tensors in place.
        create: record the computation of the gradients, which are tensors then.
        captures: where gradients are wanted, by (node, output number): filled in; only what leads
            there runs, and leaves accumulate only if ``accumulate``. None: run everything.
        accumulate: whether captured AccumulateGrad nodes add into ``.grad``.

    Raises:
        RuntimeError: a saved tensor was freed or modified.
    """
    recording = create
    if mode.level is not None and not create:  # tangents travel with tensors
        create = True
        roots = [(node, nr, as_tensor(g)) for node, nr, g in roots]
    this = Pass(roots, keep, create, captures, accumulate)
    devices = devices_in_use() if mode.several else ()
    try:
        this.modes = {
            "grad": recording,
            "inference": mode.inference,
            "saved_hooks": mode.saved_hooks,
        }
        with mode.changed(backward_pass=this, **this.modes):
            if this.depth and this.depth % MOST_NESTED == 0:
                in_another_thread(lambda: loop(this, roots))
            else:
                loop(this, roots)
    finally:
        for device in devices:
            device.use()


def count_edges(roots: list[tuple[Node, int, Any]]) -> States:
    """For every node that can be reached: the number of edges that lead there."""
    states: States = {node: 0 for node, _, _ in roots}
    stack: list[Node] = list(states)
    while stack:
        for n in stack.pop()._nexts:
            if n is not None:
                known = states.get(n)
                if known is None:
                    states[n] = 1
                    stack.append(n)
                else:
                    states[n] = known + 1
    return states


def needed(
    roots: list[tuple[Node, int, Any]], captures: Captures
) -> tuple[States, set[Node], set[Node]]:
    """As ``count_edges``, for the nodes alone that lead to a captured one.

    Returns:
        The counts; the nodes of which some but not all operands lead to a captured one; the
        captured nodes that lead to no other.
    """
    seen = {node for node, _, _ in roots}
    stack = list(seen)
    while stack:
        for n in stack.pop()._nexts:
            if n is not None and n not in seen:
                seen.add(n)
                stack.append(n)
    states: States = {node: 0 for node, _ in captures if node in seen}
    partly: set[Node] = set()
    ends: set[Node] = set()
    # A node is recorded after all those it leads to, so in the order of recording each is decided
    # at once.
    for node in sorted(seen, key=BY_SEQ, reverse=True):
        leads = misses = False
        for n in node._nexts:
            if n in states:
                leads = True
                states[n] += 1
            elif n is not None:
                misses = True
        if leads:
            states.setdefault(node, 0)
            if misses:
                partly.add(node)
        elif node in states:
            ends.add(node)
    return states, partly, ends


def add(st: list[Any], node: Node, nr: int, g: Any) -> None:
    """Deliver one gradient to a node."""
    if g is None:
        return
    if node._multi:
        if st[1] is None:
            st[1] = {}
        known = st[1].get(nr)
        st[1][nr] = g if known is None else known + g
    elif st[1] is None:
        st[1] = g
    else:
        total = st[1] + g
        st[1] = total
        st[2] = type(total) is ndarray


@silent
def loop(this: Pass, roots: list[tuple[Node, int, Any]]) -> None:
    """Run nodes as they become ready."""
    states, create, free = this.states, this.create, not this.keep
    heap: list[tuple[int, Node, Any]] = []
    n: Any
    captured = NONE if this.captures is None else {node for node, _ in this.captures}
    if mode.anomaly is not None:
        captured = set(states)  # every node takes the way of the rare ones, which watches it
    rare: Any = this.partly if this.partly is EVERY else captured | set(this.partly)
    some = rare is EVERY or bool(rare)
    for node, nr, g in roots:
        if node in states:
            if type(states[node]) is int:
                states[node] = [states[node], None, False]
            add(states[node], node, nr, g)
    for node in dict.fromkeys(node for node, _, _ in roots):
        st = states.get(node)
        if st is not None and st[0] == 0:
            g, st[1] = st[1], None
            if node.accumulates:
                finish_leaf(node, g, st[2], this)
            else:
                heappush(heap, (node._seq, node, g))
    while heap:
        _, node, g = heappop(heap)
        ready: Node | None = node
        while ready is not None:
            node = ready
            if node._extra is not None or (some and node in rare):
                grads: Any = run_rare(node, g, this)
            elif g is None:
                grads = node.vjp_of_none(create)
                if free and node._frees:
                    node._kept = None
            else:
                grads = node.vjp_graph(g) if create else node.vjp(g)
                if free and node._frees:
                    node._kept = None
            # One node that became ready runs next without a detour through the heap, unless one
            # recorded later waits there.
            ready = None
            nrs = node._nrs or ZEROS
            for n, nr, gi in zip(node._nexts, nrs, grads):  # noqa: B905 - strict costs in the hot loop
                st = states.get(n)
                if st is None:
                    continue
                owned = False
                if type(st) is not int or st > 1 or n._multi:
                    if type(st) is int:
                        st = states[n] = [st, None, False]
                    if st[2] and gi is not None:
                        st[1] += gi
                    else:
                        add(st, n, nr, gi)
                    st[0] -= 1
                    if st[0]:
                        continue
                    _, gi, owned = st
                    st[1] = None
                if n.accumulates:
                    finish_leaf(n, gi, owned, this)
                elif ready is None:
                    ready, g = n, gi
                else:
                    heappush(heap, (n._seq, n, gi))
            if heap and ready is not None and ready._seq > heap[0][0]:
                _, ready, g = heapreplace(heap, (ready._seq, ready, g))


def run_rare(node: Node, g: Any, this: Pass) -> tuple[Any, ...]:
    """A node with hooks, captures or packed values, or one of which not all operands count, or any
    where several devices are in use: it runs where its gradient lives, and those that it gives are
    added up where they live. Under anomaly detection, any node."""
    if mode.anomaly is None:
        grads = run_with_hooks(node, g, this)
    else:
        with watching(node):
            grads = run_with_hooks(node, g, this)
            refuse_nan(node, grads, this.states)
    mode.set(**this.modes)
    return grads


def run_with_hooks(node: Node, g: Any, this: Pass) -> tuple[Any, ...]:
    """The hooks of a node and of its results, and the node itself."""
    create, captures, last = this.create, this.captures, node in this.ends
    if mode.several:
        work_beside(g)
    extra = node._extra
    if captures is not None and not last:  # as PyTorch does: before the hooks, if it also runs
        capture(node, g, captures)
    if extra is not None and extra.tensor_hooks:
        g = tensor_hooks(node, g, extra.tensor_hooks, create)
    if extra is not None and extra.retains:
        for nr, ref in list(extra.retains.items()):
            retain(ref(), g.get(nr) if node._multi and g is not None else g, create)
    if captures is not None and last:
        capture(node, g, captures)
        return (None,) * len(node._nexts)
    outer = None
    if extra is not None and extra.prehooks:
        g = node_prehooks(node, g, extra.prehooks)
    if extra is not None and extra.posthooks:
        outer = node_grads(node, g)
    if g is None:
        grads: tuple[Any, ...] = node.vjp_of_none(create)
    else:
        with unpacked(node):
            if captures is None:
                grads = node.vjp_graph(g) if create else node.vjp(g)
            else:
                grads = node.vjp_partly(g, [n in this.states for n in node._nexts], create)
    if not this.keep and node._frees:
        node._kept = None
        if extra is not None:
            extra.packed = None
    if extra is not None and extra.posthooks:
        grads = node_posthooks(grads, outer, extra.posthooks, create)
    if mode.several:
        work_beside(grads)
    return grads


@contextmanager
def watching(node: Node) -> Iterator[None]:
    """Under anomaly detection, the block in which a node and its hooks run: if it fails, a warning
    tells where the operation was called."""
    with mode.changed(backward_node=node):
        try:
            yield
        except Exception:
            warn_of_origin(node)
            raise


def refuse_nan(node: Node, grads: tuple[Any, ...], states: States) -> None:
    """Look for NaN in the gradients that a node gave, as far as the pass needs them.

    Raises:
        RuntimeError: a gradient has NaN.
    """
    if not mode.anomaly:
        return
    for k, (behind, gi) in enumerate(zip(node._nexts, grads, strict=False)):
        if gi is None or behind not in states:
            continue
        if np.isnan(gi._data if isinstance(gi, Tensor) else gi).any():
            raise errors.nan_found(node.name(), k)


def warn_of_origin(node: Node | None) -> None:
    """Warn where the operation of a node that failed was called, and the one whose backward pass
    called that, if any."""
    told = "Error detected in"
    while node is not None:
        lines = node.metadata.get("traceback_")
        where = (
            "No forward pass information available. Enable anomaly detection for the forward pass "
            "too."
            if lines is None
            else "Traceback of forward call that caused the error:\n" + "".join(lines)
        )
        warnings.warn(f"{told} {node.name()}. {where}", UserWarning, stacklevel=2)
        node = node.metadata.get("parent_")
        told = "The previous calculation was induced by"


def capture(node: Node, g: Any, captures: Captures) -> None:
    """Hand out the gradients of a node's outputs that were asked for."""
    for nr in (g or ()) if node._multi else (0,):
        if (node, nr) in captures:
            captures[node, nr] = g[nr] if node._multi else g


def work_beside(gradients: Any) -> None:
    """Work from now on where the first of some gradients lives."""
    given = gradients.values() if isinstance(gradients, dict) else gradients
    given = given if isinstance(given, (tuple, list)) else (given,)
    for a in arrays_in([g._data if isinstance(g, Tensor) else g for g in given]):
        if not isinstance(getattr(a, "values", a), ndarray):
            library_of(getattr(a, "values", a)).device(a).use()
        return


# -- the end of a path -----------------------------------------------------------------------------


def finish_leaf(node: Any, g: Any, owned: bool, this: Pass) -> None:
    """A leaf's gradient is complete: hand it out or add it into ``.grad``."""
    extra = node.variable._extra
    if extra is not None and extra.grad_dtype and g is not None:
        wanted = extra.grad_dtype
        g = g.to(wanted) if isinstance(g, Tensor) else astype(g, wanted.np)
    captures = this.captures
    if captures is None:
        store(node, g, this.create, owned)
    elif (node, 0) in captures:
        captures[node, 0] = g = leaf_hooks(node, g, this.create)
        if this.accumulate:
            store(node, g, this.create, False, hooked=True)
    if extra is not None and extra.hooks:
        mode.set(**this.modes)


def leaf_hooks(node: Any, g: Any, create: bool) -> Any:
    """The gradient of a leaf after its tensor hooks."""
    extra = node.variable._extra
    if extra is not None and extra.hooks:
        g = call_hooks(extra.hooks, g, create)
    return g


def store(node: Any, g: Any, create: bool, owned: bool, hooked: bool = False) -> None:
    """Add a gradient into ``.grad`` of a leaf, running the hooks around that."""
    x: Tensor = node.variable
    extra = x.ensure_extra()
    if not hooked and extra.hooks:
        g = call_hooks(extra.hooks, g, create)
        owned = False
    if node._extra is not None and (node._extra.prehooks or node._extra.posthooks):
        owned = False  # the hooks may keep what they are given
    if node._extra is not None and node._extra.prehooks:
        g = node_prehooks(node, g, node._extra.prehooks)
    outer = node_grads(node, g) if node._extra is not None and node._extra.posthooks else None
    if x._req and g is not None:
        if x._node is not None:
            raise errors.leaf_moved()
        with ACCUMULATING:
            accumulate_grad(x, g, create, owned)
    if extra.post_hooks:
        for hook in list(extra.post_hooks.values()):
            refuse_result(hook, hook(x))
    if node._extra is not None and node._extra.posthooks:
        for hook in list(node._extra.posthooks.values()):
            result = hook((), outer)
            if result is not None:
                replacements(hook, result, ())


def refuse_result(hook: Any, result: Any) -> None:
    """A hook after accumulation cannot replace anything.

    Raises:
        RuntimeError: it returned a tensor.
        TypeError: it returned something else.
    """
    if result is not None:
        kind = RuntimeError if isinstance(result, Tensor) else TypeError
        raise errors.hook(
            f"post accumulate grad hook '{getattr(hook, '__name__', hook)}' must return None, got "
            f"{type(result).__name__}",
            kind,
        )


def accumulate_grad(x: Tensor, g: Any, create: bool, owned: bool) -> None:
    """``x.grad += g``: in place on arrays, a new tensor under create_graph."""
    extra: Any = x._extra
    data = x._data
    old = extra.grad
    tensor = isinstance(g, Tensor)
    shape = g.shape
    if shape != (data.shape if old is None else old._data.shape):
        raise errors.stale_grad(data.shape if old is None else old._data.shape, tuple(shape))
    if old is None:
        if tensor and create:
            extra.grad = (
                copied(g, data, extra) if g.requires_grad else wrap(matching(g._data, data, extra))
            )
        else:
            array = g._data if tensor else g
            if owned and array.flags.c_contiguous and data.flags.c_contiguous:
                extra.grad = wrap(cast_for(array, data, extra))
            else:
                extra.grad = wrap(matching(array, data, extra))
    elif create and mode.grad:
        extra.grad = old + (g if tensor else wrap(as_array(g)))
    elif old._vc is INFERENCE and not mode.inference:
        raise errors.inference_in_place()
    elif overlaps_itself(old._data):
        raise errors.internal_overlap("add_")
    else:
        old._data += g._data if tensor else g
        if old._vc is not INFERENCE:
            old._vc[0] += 1


def copied(g: Tensor, data: Any, extra: Any) -> Tensor:
    """A gradient that has a history, written into memory of its own."""
    return wrap(matching(g._data, data, extra)).copy_(g)


def cast_for(array: Any, data: Any, extra: Any) -> Any:
    """A gradient in the dtype that ``.grad`` is to have."""
    return array if extra.grad_dtype is not False else astype(array, data.dtype)


def matching(array: Any, data: Any, extra: Any) -> Any:
    """A copy of a gradient with the memory layout of its leaf, or row-major where that has gaps."""
    array = cast_for(as_array(array), data, extra)
    if data.flags.c_contiguous or not is_dense(data):
        return array.copy()
    like = np.empty_like(data, dtype=array.dtype)
    like[...] = array
    return like


def retain(x: Tensor | None, g: Any, create: bool) -> None:
    """Keep the gradient of a non-leaf: always a new tensor, never one added into."""
    if x is None or g is None:
        return
    extra = x.ensure_extra()
    value = as_tensor(g)
    if extra.grad is None:
        extra.grad = value.clone() if create else wrap(value._data.copy())
    else:
        extra.grad = extra.grad + value
