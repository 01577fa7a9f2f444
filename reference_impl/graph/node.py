"""Nodes of the recorded graph.

One subclass of :class:`Node` is made per operation and per set of operands that need a gradient;
its name is the operation's (``MulBackward0``) and its ``vjp`` is that operation's rules, already
resolved. An instance holds only what differs from call to call: where gradients go (``_nexts``,
``_nrs``), the saved values, and a sequence number.
"""

from __future__ import annotations

import traceback
import weakref
from collections.abc import Callable
from itertools import count
from typing import Any

from .. import errors
from ..mode import mode

__all__ = ["HookTable", "Node", "RemovableHandle", "new", "next_seq", "note_call"]

next_seq = count(0, -1).__next__
"""Sequence numbers fall, so that the node recorded last is the smallest and comes first in a
heap."""

new = object.__new__


UNNUMBERED = ("CopyBackwards", "CopySlices", "NotImplemented")
"""Nodes that belong to no operation of their own."""


class NodeExtra:
    """State that few nodes have.

    Attributes:
        tensor_hooks: hooks of each output tensor, by output number.
        retains: weak references to the output tensors that retain their gradient.
        prehooks, posthooks: hooks of the node itself.
        packed: saved values that went through saved-tensor hooks, by position in ``saved``.
        metadata: the user's dictionary.
        tangents: tangents that saved values had in a forward-mode level, by position in ``saved``.
    """

    __slots__ = (
        "metadata",
        "packed",
        "posthooks",
        "prehooks",
        "retains",
        "tangents",
        "tensor_hooks",
    )

    def __init__(self) -> None:
        self.tensor_hooks: dict[int, HookTable] | None = None
        self.retains: dict[int, weakref.ref[Any]] | None = None
        self.prehooks: HookTable | None = None
        self.posthooks: HookTable | None = None
        self.packed: dict[int, Any] | None = None
        self.metadata: dict[Any, Any] | None = None
        self.tangents: dict[Any, Any] | None = None


class HookTable(dict[int, Any]):
    """Hooks by the numbers of their handles, in the order in which they run."""

    __slots__ = ("__weakref__",)


class RemovableHandle:
    """Returned by the functions that register hooks; ``remove()`` takes that hook away again.

    It refers to the hooks weakly: a handle that the program keeps does not keep alive what they use.
    """

    _next_id = count().__next__

    def __init__(self, hooks: HookTable, hook: Callable[..., Any]) -> None:
        self.id = RemovableHandle._next_id()
        self._table = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        """Stop the hook from running. Doing so twice is harmless."""
        hooks = self._table()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


class Node:
    """One recorded operation: knows where gradients go and how to compute them."""

    __slots__ = (
        "__weakref__", "_extra", "_guards", "_kept", "_nexts", "_nrs", "_seq", "_summed_to",
    )  # fmt: skip

    _multi: bool = False
    """Whether the operation has several outputs; then ``vjp`` takes their gradients by output
    number."""
    _frees: bool = False
    """Whether the node holds saved tensors, so that a second pass needs retain_graph."""
    _width: int = 1
    """The number of outputs."""
    accumulates: bool = False
    """Whether this is the end of a path, an AccumulateGrad."""
    saved_names: tuple[str, ...] = ()
    """Name of each saved value."""

    _extra: NodeExtra | None
    _nexts: tuple[Node | None, ...]
    _nrs: tuple[int, ...] | None
    _kept: Any
    """The saved values, in the order of ``saved_names``; None once they are freed."""
    _guards: Any
    """A version counter and a version for each saved tensor, one after the other. It is usable as
    long as they agree."""
    _summed_to: Any
    """Where gradients are summed down to the operands that need one: the shape and dtype of each."""
    _seq: int

    def vjp(self, g: Any) -> tuple[Any, ...]:
        """From the output's gradient (an array) to one gradient per edge.

        For a node with several outputs ``g`` is a dict from output number to gradient. An entry of
        the result is None where nothing flows.
        """
        raise NotImplementedError

    def vjp_graph(self, g: Any) -> tuple[Any, ...]:
        """As ``vjp``, on tensors, so that the computation is itself recorded."""
        raise NotImplementedError

    def vjp_partly(self, g: Any, wanted: list[bool], create: bool) -> tuple[Any, ...]:
        """As ``vjp``, or ``vjp_graph`` under ``create``, where only some edges count: the others
        may get anything."""
        return self.vjp_graph(g) if create else self.vjp(g)

    def vjp_of_none(self, create: bool) -> tuple[Any, ...]:
        """As ``vjp``, or ``vjp_graph`` under ``create``, if no output has a gradient."""
        return (None,) * len(self._nexts)

    def out_meta(self, nr: int) -> tuple[tuple[int, ...], Any, Any] | None:
        """Shape, array dtype and device of output ``nr`` where the node knows them."""
        return None

    # -- what users see ---------------------------------------------------------------------------

    def name(self) -> str:
        """The operation's name, such as ``"MulBackward0"``."""
        name = type(self).__name__
        return f"torch::autograd::{name}" if name in UNNUMBERED else name

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The nodes that gradients go to, each with the output number that was consumed there."""
        nrs = self._nrs or (0,) * len(self._nexts)
        return tuple(zip(self._nexts, nrs, strict=True))

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for the user's own notes."""
        extra = self.ensure_extra()
        if extra.metadata is None:
            extra.metadata = {}
        return extra.metadata

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def _sequence_nr(self) -> int:
        return -self._seq

    def ensure_extra(self) -> NodeExtra:
        """The rare state, made on first use."""
        if self._extra is None:
            self._extra = NodeExtra()
        return self._extra

    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after this node; a tuple it returns replaces the
        former."""
        extra = self.ensure_extra()
        if extra.posthooks is None:
            extra.posthooks = HookTable()
        return RemovableHandle(extra.posthooks, fn)

    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before this node; a tuple it returns replaces them."""
        extra = self.ensure_extra()
        if extra.prehooks is None:
            extra.prehooks = HookTable()
        return RemovableHandle(extra.prehooks, fn)

    def add_tensor_hooks(self, nr: int) -> HookTable:
        """The table of tensor hooks of output ``nr``."""
        extra = self.ensure_extra()
        if extra.tensor_hooks is None:
            extra.tensor_hooks = {}
        return extra.tensor_hooks.setdefault(nr, HookTable())

    def __call__(self, *grads: Any) -> Any:
        """Run this node alone on output gradients (tensors) and return its input gradients.

        Raises:
            TypeError: there are more or fewer gradients than outputs.
        """
        if len(grads) != self._width:
            raise errors.wrong_type(
                f"{self.name()}: expected {self._width} arguments, got {len(grads)} instead"
            )
        result = self.vjp_graph(dict(enumerate(grads)) if self._multi else grads[0])
        return result[0] if len(result) == 1 else result

    def unusable(self, vc: Any, expected: int) -> Exception:
        """Why a saved value with version counter ``vc`` cannot be used."""
        found = vc[0]
        if type(found).__name__ == "DetachedVersion":
            return errors.detached_in_place(self.name())
        return errors.modified_in_place(self.name(), found, expected)


def note_call(node: Node) -> None:
    """Under anomaly detection: note where the operation was called."""
    node.metadata["traceback_"] = traceback.format_stack()[:-2]
    if mode.backward_node is not None:
        node.metadata["parent_"] = mode.backward_node
