"""Hooks on what is saved for backward: pack when it is saved, unpack when backward needs it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .. import errors
from ..mode import mode
from ..tensor.state import NO_COUNTER, NUMBER_COUNTER
from ..tensor.tensor import Tensor, wrap

__all__ = [
    "SavedTensor", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "pack", "packed_before",
    "save_on_cpu", "saved_tensors_hooks", "unpack", "unpacked",
]  # fmt: skip


def call_pack(t: Tensor, pack_hook: Any) -> Any:
    """Call a pack hook on a saved tensor, with nothing recorded.

    Raises:
        RuntimeError: the hook modified its argument.
    """
    vc = t._vc
    before = vc[0]
    with mode.changed(grad=False, aside=False, saved_hooks=()):
        packed = pack_hook(t)
    if vc[0] != before:
        raise errors.hook(
            "[saved tensor hooks] the pack hook is modifying its input, and with it the "
            "value of a tensor in use. Let it work on a clone, and return that."
        )
    return packed


def call_unpack(packed: Any, unpack_hook: Any) -> Tensor:
    """What an unpack hook gives back.

    Raises:
        TypeError: not a tensor.
    """
    t = unpack_hook(packed)
    if not isinstance(t, Tensor):
        raise errors.wrong_type(
            f"[saved tensor hooks] an unpack hook must return a Tensor; got {type(t).__name__}"
        )
    return t


def saved_tensor(array: Any, known: Any) -> Tensor:
    """A saved array as the tensor that it is the array of, or else as one of its own."""
    return known if isinstance(known, Tensor) and known._data is array else wrap(array)


def packed_before(plan: Any, operands: Any, x: Any) -> dict[int, Any]:
    """What the innermost pack hook makes of the saved operands that share their memory with ``x``,
    which is about to be overwritten; by the operand."""
    pack_hook, _ = mode.saved_hooks[-1]
    wanted = {index for kind, index in plan.sources if kind == "operand" and index}
    return {
        index: call_pack(operands[index], pack_hook)
        for index in sorted(wanted)
        if getattr(operands[index], "_vc", None) is x._vc
    }


def pack(node: Any, operands: Any, outs: Any, before: Mapping[int, Any] | None = None) -> None:
    """Send a new node's saved tensors through the innermost pack hook, but those operands that it
    has got already, before they were overwritten."""
    pack_hook, unpack_hook = mode.saved_hooks[-1]
    plan = node.plan
    saved, guards = list(node._kept), list(node._guards)
    at = 0
    packed = {}
    for k in plan.guards:
        array, vc = saved[k], guards[at]
        if hasattr(array, "dtype") and vc is not NUMBER_COUNTER:
            kind, index = plan.sources[k]
            if before and kind == "operand" and index in before:
                packed[k] = (unpack_hook, before[index])
            else:
                known = operands[index] if kind == "operand" else outs[index] if outs else None
                packed[k] = (unpack_hook, call_pack(saved_tensor(array, known), pack_hook))
            saved[k] = None
            guards[at : at + 2] = [NO_COUNTER, 0]
        elif plan.sources[k][0] == "operands":
            packed.update(packed_list(saved, k, operands, pack_hook, unpack_hook))
            guards[at : at + 2] = [NO_COUNTER, 0]
        at += 2
    for k in plan.arrays:
        packed.update(packed_index(saved, k, pack_hook, unpack_hook))
    if packed:
        node._kept, node._guards = tuple(saved), tuple(guards)
        node.ensure_extra().packed = packed


def packed_list(
    saved: list[Any], k: int, operands: Any, pack_hook: Any, unpack_hook: Any
) -> dict[Any, Any]:
    """Send a saved list of operands through the pack hook, one by one."""
    found = {
        (k, i): (unpack_hook, call_pack(saved_tensor(array, x), pack_hook))
        for i, (array, x) in enumerate(zip(saved[k], operands, strict=True))
        if isinstance(x, Tensor)
    }
    saved[k] = tuple(None if (k, i) in found else array for i, array in enumerate(saved[k]))
    return found


def packed_index(saved: list[Any], k: int, pack_hook: Any, unpack_hook: Any) -> dict[Any, Any]:
    """Send a saved index or mask through the pack hook, or the tensors in an index of several."""
    if hasattr(saved[k], "dtype"):
        packed = call_pack(wrap(saved[k]), pack_hook)
        saved[k] = None
        return {k: (unpack_hook, packed)}
    parts = saved[k] if isinstance(saved[k], tuple) else ()
    found = {
        (k, i): (unpack_hook, call_pack(wrap(part), pack_hook))
        for i, part in enumerate(parts)
        if hasattr(part, "dtype")
    }
    if found:
        saved[k] = tuple(None if (k, i) in found else part for i, part in enumerate(parts))
    return found


@contextlib.contextmanager
def unpacked(node: Any) -> Iterator[None]:
    """Within the block, a node has what it saved, also where pack hooks took it."""
    held = node._kept if node._extra is not None and node._extra.packed else None
    if held is not None:
        node._kept = unpack(node)
    try:
        yield
    finally:
        if held is not None:
            node._kept = held


def unpack(node: Any, only: int | None = None) -> Any:
    """A node's saved values, packed ones brought back; of these, ``only`` the one at an index."""
    if node._kept is None:
        return None
    saved = list(node._kept)
    for place, (hook, packed) in node._extra.packed.items():
        k, i = place if isinstance(place, tuple) else (place, None)
        if only not in (None, k):
            continue
        array = call_unpack(packed, hook)._data
        saved[k] = array if i is None else (*saved[k][:i], array, *saved[k][i + 1 :])
    return tuple(saved)


class SavedTensor:
    """One saved tensor of a node, to register hooks on: ``node._raw_saved_self``."""

    def __init__(self, node: Any, k: int | None) -> None:
        self.node = node
        self.k = k

    def register_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Pack the tensor now, and unpack it when it is needed.

        Raises:
            RuntimeError: it was freed, has such hooks already, or is not a tensor.
        """
        node, k = self.node, self.k
        if node._kept is None:
            raise errors.freed(node.name())
        if node._extra is not None and k in (node._extra.packed or {}):
            raise errors.hook(
                "register_hooks(): this saved tensor has its pair of hooks already, and takes "
                "no second one"
            )
        if k is None or k not in node.plan.guards or not hasattr(node._kept[k], "dtype"):
            raise errors.hook(
                f"Calling register_hooks on a saved value of {node.name()} that is not a tensor"
            )
        t = getattr(node, f"_saved_{node.saved_names[k]}")
        packed = call_pack(t.detach(), pack_hook)
        saved, guards = list(node._kept), list(node._guards)
        at = 2 * node.plan.guards.index(k)
        saved[k] = None
        guards[at : at + 2] = [NO_COUNTER, 0]
        node._kept, node._guards = tuple(saved), tuple(guards)
        extra = node.ensure_extra()
        extra.packed = {**(extra.packed or {}), k: (unpack_hook, packed)}


class saved_tensors_hooks:
    """Within the block, tensors saved for backward are stored as ``pack_hook(tensor)``."""

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.pair = (pack_hook, unpack_hook)

    def __enter__(self) -> None:
        if mode.saved_hooks_off is not None:
            raise errors.hook(mode.saved_hooks_off)
        mode.set(saved_hooks=(*mode.saved_hooks, self.pair))

    def __exit__(self, *exc: object) -> None:
        mode.set(saved_hooks=mode.saved_hooks[:-1])


class save_on_cpu(saved_tensors_hooks):
    """Within the block, tensors saved for backward are kept in host memory, and moved back to where they
    were when backward needs them."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda t: (t.device, t.cpu()), lambda kept: kept[1].to(kept[0]))


class _AllowMutationOnSavedContext:
    """What a block that allows mutation is known by."""


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """Within the block, tensors saved for backward may be changed in place afterwards: backward
    uses the values that they had. Each is copied, and the copies are there until the block ends.

    Raises:
        RuntimeError: such a block is open already.
    """

    open = False

    def __init__(self) -> None:
        super().__init__(lambda t: t.detach().clone(), self.copied)
        self.entered = False

    def copied(self, t: Tensor) -> Tensor:
        """A copy, while the block is open.

        Raises:
            AssertionError: it has ended.
        """
        if not self.entered:
            raise errors.hook(
                "allow_mutation_on_saved_tensors(): the backward pass must run within the block in "
                "which its tensors were saved",
                AssertionError,
            )
        return t

    def __enter__(self) -> _AllowMutationOnSavedContext:  # type: ignore[override]
        if self.open:
            raise errors.hook("allow_mutation_on_saved_tensors contexts cannot be nested")
        super().__enter__()
        allow_mutation_on_saved_tensors.open = self.entered = True
        return _AllowMutationOnSavedContext()

    def __exit__(self, *exc: object) -> None:
        allow_mutation_on_saved_tensors.open = self.entered = False
        super().__exit__(*exc)


class disable_saved_tensors_hooks:
    """Within the block, entering ``saved_tensors_hooks`` fails with this message."""

    def __init__(self, error_message: str) -> None:
        self.message = error_message
        self.held: str | None = None

    def __enter__(self) -> None:
        if mode.saved_hooks:
            raise errors.hook(
                f"{self.message} (disable_saved_tensors_hooks cannot begin within saved_tensors_hooks)"
            )
        self.held = mode.saved_hooks_off
        mode.set(saved_hooks_off=self.message)

    def __exit__(self, *exc: object) -> None:
        mode.set(saved_hooks_off=self.held)

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            with type(self)(self.message):
                return fn(*args, **kwargs)

        return run
