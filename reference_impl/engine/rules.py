"""From a row's rules to the ``vjp`` of its node classes.

For each set of operands that need a gradient this room works out once which values are saved and
closes over them a function for exactly that shape of work, so that nothing is interpreted while
gradients flow.

What a call saves stands in three slots of its node: the values (``_kept``), the version counters
that guard them (``_guards``), and what gradients are reduced to (``_summed_to``).
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import astype
from ..backend.dtypes import DIFFERENTIABLE
from ..graph.node import Node
from ..graph.row import HOLOMORPHIC, Row, parameters
from ..tensor.leaf import AccumulateGrad, arriving_dtype
from ..tensor.state import DetachedVersion
from ..tensor.tensor import Tensor, filled, wrap
from .saved_hooks import SavedTensor, unpack, unpacked

__all__ = ["node_class", "unbroadcast"]

Vjp = Callable[[Any, Any], Any]


class Plan:
    """What a node class saves and how its rules find it.

    Attributes:
        needs: indices of the operands that need a gradient.
        names: the saved values.
        sources: per value ("operand", i), ("out", k), ("static", j), ("shape", i)
            or ("dtype", i) or ("device", i).
        guards: per guarded value its position; the counters follow the values in this order.
        rules: per operand in ``needs``: the rule and the positions of its arguments.
        arrays: per saved index or mask its position. They are copies, so no counter guards them.
        loaders: per value the function that takes it out of a node as a tensor.
    """

    def __init__(self, row: Row, mask: int) -> None:
        self.row = row
        self.needs = [i for i in range(row.n_operands) if mask >> i & 1]
        self.rules: list[tuple[Callable[..., Any], tuple[int, ...]]] = []
        asked = {
            i: [p for p in parameters(row.rules[row.operands[i]]) if p not in ("g", "gs")]
            for i in self.needs
        }
        names = dict.fromkeys(name for found in asked.values() for name in found)
        self.names = sorted(names, key=lambda name: source(row, name)[0] == "out")  # results last
        for i, found in asked.items():
            positions = tuple(self.names.index(name) for name in found)
            self.rules.append((row.rules[row.operands[i]], positions))
        self.sources = [source(row, name) for name in self.names]
        self.arrays = [
            k for k, (kind, _) in enumerate(self.sources)
            if kind == "static" and self.names[k] in ("condition", "index", "mask")
            and row.name != "select"
        ]  # fmt: skip
        self.guards = [
            k for k, (kind, _) in enumerate(self.sources) if kind in ("operand", "operands", "out")
        ]
        self.loaders = [loader(self, k) for k in range(len(self.names))]


def source(row: Row, name: str) -> tuple[str, int]:
    """Where a saved value comes from."""
    if row.variadic and name in row.operands:
        return "operands", 0
    if name in row.operands:
        return "operand", row.operands.index(name)
    if name in row.statics:
        return "static", row.statics.index(name)
    if name.endswith("_shape"):
        return "shape", row.operands.index(name[:-6])
    if name.endswith("_dtype"):
        return "dtype", row.operands.index(name[:-6])
    if name == "x_device":
        return "device", 0
    return "out", int(name[3:] or 0)


def node_class(
    row: Row, mask: int, reduce: bool = False, complex_: bool = False, outputs: int = 1
) -> type[Node]:
    """The node class for calls in which the operands in ``mask`` need a gradient.

    ``reduce``: operands differ from the output in shape or dtype, so gradients are reduced.
    ``complex_``: the output is complex, so holomorphic rules are conjugated around.
    ``outputs``: how many there are, which varies from call to call in some rows.
    """
    key = (mask, reduce, complex_, outputs)
    known = row.classes.get(key)
    if known is None:
        known = row.classes[key] = make_node_class(row, *key)
    return known


def make_node_class(row: Row, mask: int, reduce: bool, complex_: bool, outputs: int) -> type[Node]:
    """The node class of ``row`` for one set of operands that need a gradient."""
    plan = Plan(row, mask)
    conjugate = complex_ and bool(row.flags & HOLOMORPHIC)
    single_out = row.n_out == 1
    if row.variadic:
        vjp, vjp_graph = vjp_variadic(plan, False), vjp_variadic(plan, True)
        vjp_partly = Node.vjp_partly
    else:
        arrays = vjp_general(plan, reduce, conjugate, False)
        tensors = vjp_general(plan, reduce, conjugate, True)
        vjp_partly = partly(arrays, tensors)
        plain = single_out and not reduce and not conjugate
        vjp = (plain and vjp_direct(plan)) or arrays
        vjp_graph = (plain and vjp_direct_graph(plan)) or tensors
    namespace = {
        "__slots__": (),
        "__module__": "builtins",  # so that a class prints as in <class 'MulBackward0'>
        "row": row,
        "plan": plan,
        "vjp": vjp,
        "vjp_graph": vjp_graph,
        "vjp_partly": vjp_partly,
        "_multi": row.n_out != 1,
        "_width": 1 if row.first_only else outputs,
        "_frees": bool(plan.guards or plan.arrays),
        "saved_names": tuple(row.public_name(n) for n in plan.names),
        "__call__": called,
        "__getattr__": saved_attribute,
        "__dir__": all_attributes,
    }
    return type(row.node_name, (Node,), namespace)


def called(node: Any, *grads: Any) -> Any:
    """Run the node alone, as ``Node.__call__``, on what it saved."""
    with unpacked(node):
        return Node.__call__(node, *grads)


def all_attributes(node: Any) -> list[str]:
    """The names of a node's attributes, those of its saved values among them."""
    saved = sorted(node.row.saved_names())
    kept = sorted(node.saved_names[k] for k in (*node.plan.guards, *node.plan.arrays))
    raw = [f"_raw_saved_{name}" for name in kept]
    return [*object.__dir__(node), *raw, *(f"_saved_{name}" for name in saved)]


def saved_attribute(node: Any, name: str) -> Any:
    """``node._saved_NAME``: the saved value, as backward will use it."""
    if name.startswith("_saved_") and name[7:] in node.saved_names:
        k = node.saved_names.index(name[7:])
        if node._kept is None:
            raise errors.freed(node.name())
        check_guards(node)
        if node._extra is not None and node._extra.packed:
            return node.plan.loaders[k](node, unpack(node, k))
        value = node._kept[k]
        if node.plan.sources[k][0] == "operand" and isinstance(value, (int, float, complex)):
            return wrap(np.asarray(value))
        if k in node.plan.arrays:
            return shown_index(value)
        held = saved_operand(node, k, value)
        return node.plan.loaders[k](node, node._kept) if held is None else held
    if name.startswith("_saved_") and name[7:] in node.row.saved_names():
        return node.row.constants.get(name[7:])
    if name.startswith("_raw_saved_") and name[11:] in node.row.saved_names():
        held = name[11:] in node.saved_names
        return SavedTensor(node, node.saved_names.index(name[11:]) if held else None)
    raise AttributeError(f"{node.name()} has no attribute {name!r}")


def shown_index(value: Any) -> Any:
    """A saved index or mask as tensors; parts of an index that are no tensors are None."""
    if isinstance(value, tuple):
        return tuple(shown_index(part) for part in value)
    return wrap(value) if hasattr(value, "dtype") else None


# -- the usual shapes of work ----------------------------------------------------------------------


def vjp_direct(plan: Plan) -> Vjp | None:
    """Rules on arrays, one function per number of rules, values and guards; None for rare ones."""
    shape = (len(plan.rules), len(plan.names), len(plan.guards))
    ra, ia = plan.rules[0]
    if not plan.names:
        return vjp_unsaved(plan)

    if shape == (1, 1, 1):

        def one_value(node: Any, g: Any) -> Any:
            saved = node._kept
            if saved is None:
                raise errors.freed(node.name())
            (a,) = saved
            vc, version = node._guards
            if vc[0] != version and not detached_apart(node, 0, vc, version):
                raise node.unusable(vc, version)
            return ra(g, a)

        return at_operand(one_value, plan)

    if shape == (2, 2, 2) and plan.row.n_operands == 2:
        rb, ib = plan.rules[1]
        if ia == (0,) and ib == (1,):

            def two_values(node: Any, g: Any) -> tuple[Any, ...]:
                saved = node._kept
                if saved is None:
                    raise errors.freed(node.name())
                a, b = saved
                va, na, vb, nb = node._guards
                if va[0] != na and not detached_apart(node, 0, va, na):
                    raise node.unusable(va, na)
                if vb[0] != nb and not detached_apart(node, 1, vb, nb):
                    raise node.unusable(vb, nb)
                return ra(g, a), rb(g, b)

            return two_values
    return None


def vjp_direct_graph(plan: Plan) -> Vjp | None:
    """As ``vjp_direct``, on tensors."""
    shape = (len(plan.rules), len(plan.names), len(plan.guards))
    ra, ia = plan.rules[0]
    if not plan.names:
        return vjp_unsaved(plan)

    if shape == (1, 1, 1):
        load = plan.loaders[0]

        def one_value(node: Any, g: Any) -> Any:
            saved = node._kept
            if saved is None:
                raise errors.freed(node.name())
            vc, version = node._guards
            if vc[0] != version and not detached_apart(node, 0, vc, version):
                raise node.unusable(vc, version)
            return ra(g, load(node, saved))

        return at_operand(one_value, plan)

    if shape == (2, 2, 2) and plan.row.n_operands == 2:
        rb, ib = plan.rules[1]
        if ia == (0,) and ib == (1,):
            load_a, load_b = plan.loaders

            def two_values(node: Any, g: Any) -> tuple[Any, ...]:
                saved = node._kept
                if saved is None:
                    raise errors.freed(node.name())
                va, na, vb, nb = node._guards
                if va[0] != na and not detached_apart(node, 0, va, na):
                    raise node.unusable(va, na)
                if vb[0] != nb and not detached_apart(node, 1, vb, nb):
                    raise node.unusable(vb, nb)
                return ra(g, load_a(node, saved)), rb(g, load_b(node, saved))

            return two_values
    return None


def vjp_unsaved(plan: Plan) -> Vjp | None:
    """Rules that take nothing but the gradient, alike on arrays and on tensors."""
    ra = plan.rules[0][0]
    if len(plan.rules) == 1:
        return at_operand(lambda node, g: ra(g), plan)
    if len(plan.rules) == 2 == plan.row.n_operands:
        rb = plan.rules[1][0]
        return lambda node, g: (ra(g), rb(g))
    return None


def at_operand(one: Callable[[Any, Any], Any], plan: Plan) -> Vjp | None:
    """The gradient of the only operand that needs one, at its place."""
    width = plan.row.n_operands
    if width == 1:
        return lambda node, g: (one(node, g),)
    if width == 2:
        if plan.needs[0] == 0:
            return lambda node, g: (one(node, g), None)
        return lambda node, g: (None, one(node, g))
    return None


# -- any shape of work -----------------------------------------------------------------------------


def check_guards(node: Any) -> None:
    """Refuse saved values that were modified since."""
    guards = node._guards
    at = 0
    for k in node.plan.guards:
        vc, version = guards[at], guards[at + 1]
        if vc is not None and vc[0] != version and not detached_apart(node, k, vc, version):
            raise node.unusable(vc, version)
        at += 2


def detached_apart(node: Any, k: int, vc: Any, version: int) -> bool:
    """Whether saved value ``k`` was only detached in place, as a result of the node itself or by way
    of the base of a view, which changes none of its values and leaves its history."""
    now = vc[0]
    if type(now) is not DetachedVersion:
        return False
    kind, index = node.plan.sources[k]
    if kind == "out":
        return int(now) == version
    return kind == "operand" and now.spares(node._nexts[index], version)


def vjp_general(plan: Plan, reduce: bool, conjugate: bool, graph: bool) -> Callable[..., Any]:
    """Rules for any number of operands, with reduction and conjugation where asked.

    On arrays, or under ``graph`` on tensors, so that what the rules compute is recorded. The
    function takes a third argument, where not all operands count: one bool for each.
    """
    width = plan.row.n_operands
    rules = [(i, rule, at) for i, (rule, at) in zip(plan.needs, plan.rules, strict=True)]
    guarded = bool(plan.guards or plan.arrays)
    first_only = plan.row.first_only

    def vjp(node: Any, g: Any, wanted: list[bool] | None = None) -> tuple[Any, ...]:
        values = saved = node._kept
        if guarded:
            if saved is None:
                raise errors.freed(node.name())
            check_guards(node)
        if graph:
            values = [load(node, saved) for load in plan.loaders]
        if first_only:
            g = g.get(0)
            if g is None:
                return (None,) * width
        grads = [None] * width
        if conjugate:
            values = [conjugated(v) for v in values]
        for k, (i, rule, at) in enumerate(rules):
            if wanted is not None and not wanted[i]:
                continue
            gi = rule(g, *[values[p] for p in at])
            if reduce:
                shape, dtype = node._summed_to[k]
                if dtype is not gi.dtype:
                    found = gi._data.dtype if graph else gi.dtype
                    dtype = arriving_dtype(node._nexts[i], dtype, found)
                gi = reduced(gi, shape, dtype) if graph else unbroadcast(gi, shape, dtype)
            grads[i] = gi
        return tuple(grads)

    return vjp


def conjugated(value: Any) -> Any:
    """A saved value conjugated, where that means something."""
    if isinstance(value, complex):
        return value.conjugate()
    if isinstance(value, Tensor):
        return value._conjugate()
    return value.conj() if hasattr(value, "strides") and value.dtype.kind == "c" else value


def partly(arrays: Callable[..., Any], tensors: Callable[..., Any]) -> Callable[..., Any]:
    """The general form where only some edges count, by whether the pass is recorded."""
    return lambda node, g, wanted, create: (tensors if create else arrays)(node, g, wanted)


def vjp_variadic(plan: Plan, graph: bool) -> Vjp:
    """The single rule of a row over a list of operands gives all gradients at once."""
    rule, at = plan.rules[0]
    guarded = bool(plan.guards)

    def vjp(node: Any, g: Any) -> tuple[Any, ...]:
        values = saved = node._kept
        if guarded:
            if saved is None:
                raise errors.freed(node.name())
            check_guards(node)
        if graph:
            values = [load(node, saved) for load in plan.loaders]
        grads = rule(g, *[values[p] for p in at])
        return tuple(
            None if n is None or gi is None else in_dtype(gi, dtype)
            for n, gi, (_, dtype) in zip(node._nexts, grads, node._summed_to, strict=True)
        )

    return vjp


def reduced(g: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """As ``unbroadcast``, of a tensor."""
    return g._sum_to(shape)._cast_to(dtype)


def in_dtype(g: Any, dtype: Any) -> Any:
    """An array or a tensor in another array dtype; itself where equal."""
    if isinstance(g, Tensor):
        return g._cast_to(dtype)
    return g if g.dtype is dtype else cast(g, dtype)


def unbroadcast(g: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Sum an array down to ``shape`` and bring it to ``dtype``: the transpose of broadcasting and
    promotion."""
    if g.shape != shape:
        extra = g.ndim - len(shape)
        if extra > 0:
            g = g.sum(axis=tuple(range(extra)))
        stretched = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
        if stretched:
            g = g.sum(axis=stretched, keepdims=True)
    return g if g.dtype is dtype else cast(g, dtype)


def cast(g: Any, dtype: Any) -> Any:
    """An array in another dtype; from complex to real by taking the real part, and to bool by
    whether there is anything."""
    if g.dtype.kind == "c" and dtype.kind not in "cb":
        g = g.real
    return astype(g, dtype)


# -- saved values as tensors -----------------------------------------------------------------------


def loader(plan: Plan, k: int) -> Callable[[Any, Any], Any]:
    """The function that takes saved value ``k`` out of a node, as a tensor where it is one,
    connected to the graph where it came from."""
    kind, index = plan.sources[k]
    if kind == "operands":
        return lambda node, saved: [
            with_tangent(
                connected(a, p, 0 if node._nrs is None else node._nrs[i], None), node, (k, i)
            )
            for i, (a, p) in enumerate(zip(saved[k], node._nexts, strict=True))
        ]
    if kind not in ("operand", "out"):
        return lambda node, saved: saved[k]
    counter = 2 * plan.guards.index(k)
    place = plan.needs.index(index) if kind == "operand" and index in plan.needs else None
    if kind == "out":
        return lambda node, saved: with_tangent(
            connected(
                saved[k],
                node if saved[k].dtype in DIFFERENTIABLE else None,
                index,
                node._guards[counter],
            ),
            node,
            k,
        )

    def load(node: Any, saved: Any) -> Any:
        value = saved[k]
        producer = node._nexts[index]
        nr = 0 if node._nrs is None else node._nrs[index]
        if type(producer) is AccumulateGrad:
            if producer.variable._data is value:
                return producer.variable
        elif producer is None and not hasattr(value, "dtype"):
            return value
        summed = None if producer is None or place is None else getattr(node, "_summed_to", None)
        if summed is not None and summed[place][1] is not value.dtype:
            return promoted(node, k, value, summed[place][1], (producer, nr))
        t = connected(value, producer, nr, node._guards[counter])
        return t if node._extra is None else with_tangent(t, node, k)

    return load


def promoted(node: Any, k: int, value: Any, dtype: Any, edge: tuple[Any, int]) -> Tensor:
    """A saved operand that was promoted from ``dtype``: its gradient is brought back on the way."""
    t = with_tangent(connected(cast(value, dtype), *edge, None), node, k)
    return t._cast_to(value.dtype)


def with_tangent(t: Tensor, node: Any, key: Any) -> Tensor:
    """A tensor made from a saved value, with the tangent that the value had."""
    if node._extra is not None and node._extra.tangents is not None:
        known = node._extra.tangents.get(key)
        if known is not None:
            t.ensure_extra().tangent = known
    return t


def saved_operand(node: Any, k: int, value: Any) -> Any:
    """The operand that saved value ``k`` is, if that tensor is still alive, else None. Nodes hold
    arrays alone, so it is found by asking Python who else holds the array: slow, but only users who
    look at a node need it."""
    kind, index = node.plan.sources[k]
    if kind != "operand" or not hasattr(value, "dtype"):
        return None
    producer = node._nexts[index]
    place = producer, 0 if node._nrs is None else node._nrs[index], producer is not None
    for t in gc.get_referrers(value):
        if isinstance(t, Tensor) and t._data is value and (t._node, t._nr, t._req) == place:
            return t
    return None


def connected(array: Any, producer: Node | None, nr: int, vc: Any) -> Tensor:
    """A new tensor around a saved array whose history is ``producer``."""
    t = filled(array, vc if type(vc) is list else [0], producer, nr)
    if type(producer) is AccumulateGrad:  # a leaf whose gradient goes to that of another
        t._node = None
        t.ensure_extra().accumulator = weakref.ref(producer)
    return t
