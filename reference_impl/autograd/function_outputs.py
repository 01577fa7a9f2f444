"""The outputs of a call of a custom Function: connected to its node, with what it saved."""

from __future__ import annotations

from typing import Any

from .. import errors
from ..backend.base import zeros
from ..backend.dtypes import DIFFERENTIABLE
from ..engine.copy_slices import written
from ..engine.rules import connected
from ..engine.saved_hooks import call_pack, call_unpack
from ..graph.node import Node, new
from ..mode import mode
from ..tensor.leaf import accumulator
from ..tensor.state import DetachedVersion, ViewInfo
from ..tensor.tangents import Tangent, set_tangent, tangent_of
from ..tensor.tensor import Tensor, move_retention, wrap


class Saved:
    """One tensor that a Function saved, with the version it had."""

    __slots__ = (
        "constant", "data", "hook", "nr", "origin", "packed", "tangent", "tensor", "vc", "version",
    )  # fmt: skip

    def __init__(self, x: Tensor, nr: int | None) -> None:
        self.vc = x._vc
        self.version = x._vc[0]
        self.nr = nr
        self.tensor = x if nr is None else None
        self.origin: tuple[Any, int] | None = None
        self.data: Any = x._data
        self.hook: Any = None
        self.constant = False
        self.tangent: Tangent | None = None
        if mode.saved_hooks:
            pack_hook, self.hook = mode.saved_hooks[-1]
            self.packed = call_pack(x, pack_hook)
            self.data = None
            self.keep_tangent(x)
            if nr is None:  # its history is kept, and what it holds is not
                if x.requires_grad:
                    self.origin = (x.grad_fn or accumulator(x), x._nr)
                self.tensor = None
                self.constant = not x.requires_grad

    def keep_tangent(self, x: Tensor) -> None:
        """Keep the tangent of what was saved, where the tensor itself is not kept."""
        tangent = tangent_of(x)
        if tangent is not None:
            self.tangent = Tangent(mode.level, tangent)

    def load(self, node: Node) -> Tensor:
        """What was saved, with the tangent that it had."""
        found = self.find(node)
        held = self.tangent
        if held is not None and held.value is not None and held.level is mode.level:
            set_tangent(found, held.value)
        return found

    def find(self, node: Node) -> Tensor:
        """The tensor: an input itself, an output as a new object connected to the call's node."""
        if self.hook is not None:
            given = call_unpack(self.packed, self.hook)
            data = given._data
            if self.origin is not None:
                return connected(data, *self.origin, None)
            if self.constant:
                return wrap(data) if given.requires_grad else given
            return connected(data, node if node._nexts else None, self.nr or 0, None)
        found = self.vc[0]
        detached = type(found) is DetachedVersion and int(found) == self.version
        if found != self.version and not detached:
            raise node.unusable(self.vc, self.version)
        if self.tensor is not None:
            return self.tensor
        return connected(self.data, node if node._nexts else None, self.nr or 0, self.vc)


class _NoneSaved:
    """Stands for a None that was saved."""

    def load(self, node: Node) -> None:
        """None."""


def push_forward(
    ctx: Any, args: Any, tangents: list[Any], outs: list[Any], constant: list[bool]
) -> None:
    """Give the outputs of a call the tangents that the user's jvp computes; those marked as not
    differentiable have none.

    Raises:
        NotImplementedError: the user wrote no jvp.
        RuntimeError: it returned another number of tangents than there are outputs, or one that
            does not fit its output, or is not in its memory as the output is in its input's.
    """
    given = [
        wrap(zeros(a._data.shape, a._data.dtype, a._data))
        if t is None
        and ctx._call.materialize
        and isinstance(a, Tensor)
        and a._data.dtype in DIFFERENTIABLE
        else t
        for a, t in zip(args, tangents, strict=True)
    ]
    versions = [None if t is None else t._version for t in given]
    with mode.changed(level=None):
        results = call_jvp(ctx, given)
    for k, (out, t) in enumerate(zip(outs, results, strict=True)):
        if not isinstance(out, Tensor) or (constant[k] and t is None):
            continue
        if constant[k] or out._data.dtype not in DIFFERENTIABLE:
            if t is not None:
                raise errors.custom_function(
                    f"function {ctx.name()}: jvp returned a tangent at position {k}, where the "
                    "output is not differentiable. Return None there."
                )
            continue
        if not isinstance(t, Tensor) or t._data.dtype not in DIFFERENTIABLE:
            found = t.dtype if isinstance(t, Tensor) else type(t).__name__
            raise errors.custom_function(
                f"function {ctx.name()}: jvp must return a floating or complex Tensor at position "
                f"{k}, got {found}"
            )
        if t._data.shape != out._data.shape:
            raise errors.custom_function(
                f"function {ctx.name()}: jvp returned a tangent of shape {list(t.shape)} for an "
                f"output of shape {list(out.shape)}"
            )
        for a, tangent, version in zip(args, given, versions, strict=True):
            if tangent is not None:
                check_memory(ctx, out, a, t, tangent, version)
        set_tangent(out, t)
    for entry in ctx._kept or ():
        if isinstance(entry, Saved) and entry.nr is not None:
            entry.keep_tangent(outs[entry.nr])


def call_jvp(ctx: Any, tangents: list[Any]) -> tuple[Any, ...]:
    """What the user's jvp returns, one tangent for each output.

    Raises:
        RuntimeError: it returned another number of them.
    """
    ctx._call.in_jvp = True
    try:
        result = ctx._function.jvp(ctx, *tangents)
    finally:
        ctx._call.in_jvp = False
    results = result if isinstance(result, tuple) else (result,)
    expected = len(ctx._call.metas)
    if len(results) != expected:
        raise errors.custom_function(
            f"function {ctx.name()} returned an incorrect number of tangents from jvp (expected "
            f"{expected}, got {len(results)})"
        )
    return results


def check_memory(ctx: Any, out: Tensor, x: Tensor, t: Tensor, given: Tensor, version: Any) -> None:
    """Where ``out`` is the input ``x`` changed in place, or a view of it, its tangent ``t`` must be so
    of the tangent ``given`` for ``x``, which had this version.

    Raises:
        RuntimeError: it is not.
    """
    if out is x:
        if t is not given or given._version == version:
            raise errors.custom_function(
                f"function {ctx.name()}: forward modifies an input in place, so jvp must modify its "
                "tangent in place and return it"
            )
    elif out._view is not None and base_of(out) is base_of(x):
        if t._view is None or base_of(t) is not base_of(given):
            raise errors.custom_function(
                f"function {ctx.name()}: forward returns a view of an input, or the input itself, so "
                "jvp must return a view of its tangent"
            )


def base_of(x: Tensor) -> Tensor:
    """The tensor that a view looks at; of any other the tensor itself."""
    return x if x._view is None else x._view.base


def described(x: Any) -> Any:
    """Shape, array dtype and device of a tensor; None for anything else."""
    return (x._data.shape, x._data.dtype, x.device) if isinstance(x, Tensor) else None


def connect(ctx: Any, args: tuple[Any, ...], outs: list[Any], track: bool) -> list[Any]:
    """Give the outputs of a call their history, and keep what it saved."""
    state = ctx._call
    state.inputs = [described(a) for a in args]
    inputs = [a for a in args if isinstance(a, Tensor)]
    if track:
        ctx._nexts = tuple(
            (x.grad_fn or accumulator(x)) if x.requires_grad else None for x in inputs
        )
        nrs = tuple(x._nr for x in inputs)
        ctx._nrs = nrs if any(nrs) else None
    for x in state.dirty:
        if not any(x is out for out in outs):
            raise errors.custom_function(
                "an input marked as dirty by forward is not among its outputs. Return each "
                "input that forward modifies."
            )
        if track and not any(x is i for i in inputs):
            errors.caution(
                "mark_dirty(): a tensor that forward marked as dirty is not an input of the "
                "function. Mark only inputs that forward modifies in place."
            )
    state.metas = [described(o) for o in outs]
    saved_as: dict[int, int] = {}
    results = []
    rebased: list[Any] = []
    for nr, out in enumerate(outs):
        if not isinstance(out, Tensor):
            results.append(out)
            continue
        result = out
        dirty = any(out is d for d in state.dirty)
        constant = any(out is c for c in state.constant) or out._data.dtype not in DIFFERENTIABLE
        if dirty:
            recorded = track and not constant
            mark_written(ctx, out, nr, recorded, alone=len(outs) == 1)
            if recorded and out._view is not None:
                rebased.append(out._view.base)
            if not recorded and out.requires_grad:
                result = out.detach()
        elif any(out is x for x in inputs):
            cut = constant if track else out.requires_grad
            result = out.detach() if cut else alias_of(out)
        if track and not constant and not dirty:
            result._node, result._nr, result._req = ctx, nr, True
            if result._view is not None:
                result._view.origin = "inside a custom Function"
                result._view.seen = result._vc[0]
        saved_as[id(out)] = nr
        results.append(result)
    if track:
        entries: list[Any] = []
        for x in state.to_save:
            if x is None:
                entries.append(_NoneSaved())
            elif not isinstance(x, Tensor):
                raise errors.wrong_type(
                    "save_for_backward(): only Tensors and None can be saved; got "
                    f"{type(x).__name__} at position {len(entries)}. Keep other values as "
                    "attributes of ctx."
                )
            else:
                is_input = any(x is i for i in inputs) and not any(x is d for d in state.dirty)
                entries.append(Saved(x, None if is_input else saved_as.get(id(x))))
        ctx._kept = tuple(entries)
        for base in rebased:  # its history was written before there was anything
            base._node._kept = ctx._kept
    state.wrote = bool(state.dirty)
    state.to_save = state.dirty = state.constant = ()
    return results


def mark_written(ctx: Any, x: Tensor, nr: int, track: bool, alone: bool) -> None:
    """An input that forward changed in place gets the call as its history.

    Raises:
        RuntimeError: it is a leaf that requires grad, or a view and not ``alone``, the only result:
            the history of a view's base has room for one.
    """
    x._vc[0] += 1
    if track:
        if x._view is not None and not alone:
            raise errors.custom_function(
                "If your Function modifies inplace an input that is a view of another Tensor, your "
                "Function cannot return more than one Tensor. Clone the input first, or split the "
                "Function in two."
            )
        if x.is_leaf and x._req:
            raise errors.leaf_changed_in_place(ctx.name())
        if x._view is not None:
            written(x, ctx)
            return
        old = x._node
        x._node, x._nr, x._req = ctx, nr, True
        if x._extra is not None and x._extra.retains:
            move_retention(x, old)


def alias_of(x: Tensor) -> Tensor:
    """A new object for an input that forward returned as it is: a view of it."""
    t = wrap(x._data)
    t._vc = x._vc
    info: ViewInfo = new(ViewInfo)
    parent = x._view
    info.base = base_of(x)
    info.steps = () if parent is None else parent.steps
    info.strided = parent is None or parent.strided
    info.seen = x._vc[0]
    info.origin = "inside a custom Function"
    info.req = False
    t._view = info
    return t
