"""Faults of what becomes of packed values: which are packed, when they are unpacked, and what may fail."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import Patch, around_pass, fault, replaces, torch, untouched
from .packing import Raw, passing_by
from .saved_hooks import Pair, pairs


@fault
def tensors_are_packed_twice(patch: Patch) -> None:
    """The pack hook is called twice for each tensor that is saved."""

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            pack(tensor)
            return pack(tensor)

        return packed, unpack

    pairs(patch, change)


@fault
def own_results_are_not_packed(patch: Patch) -> None:
    """A result that its own operation saves does not go through the hooks for saved tensors."""

    def pack(right: Any, tensor: Any) -> Any:
        own = tensor.grad_fn is not None and tensor.grad_fn.name() == "ExpBackward0"
        return Raw(untouched.detach(tensor)) if own else right(tensor)

    passing_by(patch, pack)


@fault
def passes_pass_by_the_saved_hooks(patch: Patch) -> None:
    """What a recorded pass saves does not go through the hooks for saved tensors."""
    running: list[bool] = []

    def around(run: Any, options: Any) -> Any:
        running.append(True)
        try:
            return run(options)
        finally:
            running.pop()

    around_pass(patch, around)
    passing_by(patch, lambda right, tensor: Raw(tensor) if running else right(tensor))


@fault
def unpacking_may_give_anything(patch: Patch) -> None:
    """If an unpack hook returns no tensor, the tensor that was saved is used."""

    def change(pack: Any, unpack: Any) -> Pair:
        def unpacked(value: Any) -> Any:
            found = unpack(value[0])
            return found if isinstance(found, torch.Tensor) else value[1]

        return lambda tensor: (pack(tensor), untouched.detach(tensor)), unpacked

    pairs(patch, change)


@fault
def unpacked_values_are_constants(patch: Patch) -> None:
    """A recorded gradient that was computed from unpacked values does not depend on anything."""
    used: list[bool] = []

    def change(pack: Any, unpack: Any) -> Pair:
        def unpacked(value: Any) -> Any:
            used.append(True)
            return unpack(value)

        return pack, unpacked

    def around(run: Any, options: Any) -> Any:
        used.clear()
        found = run(options)
        if not used or not options.create_graph or options.accumulates:
            return found
        return tuple(None if g is None else g.detach().requires_grad_() for g in found)

    pairs(patch, change)
    around_pass(patch, around)


@fault
def packed_tensors_are_checked_for_changes(patch: Patch) -> None:
    """A change of the saved tensor after it was packed is refused, although its value is not used."""

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            alias = untouched.detach(tensor)
            return pack(tensor), alias, alias._version

        def unpacked(value: Any) -> Any:
            if value[1]._version != value[2]:
                raise RuntimeError("a saved tensor was modified by an inplace operation")
            return unpack(value[0])

        return packed, unpacked

    pairs(patch, change)


@fault
def errors_of_saved_hooks_are_swallowed(patch: Patch) -> None:
    """If a hook for saved tensors fails, the tensor is kept as it is, without an error."""

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            try:
                return pack(tensor)
            except Exception:
                return Raw(untouched.detach(tensor))

        def unpacked(value: Any) -> Any:
            if isinstance(value, Raw):
                return value.value
            try:
                return unpack(value)
            except Exception:
                return value

        return packed, unpacked

    pairs(patch, change)


class Held:
    """A packed value, and what it was unpacked to before it was needed."""

    def __init__(self, value: Any, unpack: Any) -> None:
        self.value = value
        self.unpack = unpack
        self.ready: Any = None


@fault
def everything_is_unpacked_when_the_pass_starts(patch: Patch) -> None:
    """A pass unpacks all that was packed before it runs the first node."""
    live: weakref.WeakSet[Held] = weakref.WeakSet()

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            held = Held(pack(tensor), unpack)
            live.add(held)
            return held

        def unpacked(held: Any) -> Any:
            found, held.ready = held.ready, None
            return unpack(held.value) if found is None else found

        return packed, unpacked

    def around(run: Any, options: Any) -> Any:
        with torch.no_grad():
            for held in list(live):
                held.ready = held.unpack(held.value)
        return run(options)

    pairs(patch, change)
    around_pass(patch, around)


@fault
def pack_hooks_run_while_recording(patch: Patch) -> None:
    """A pack hook runs with recording on."""
    pairs(patch, lambda pack, unpack: (torch.enable_grad()(pack), unpack))


@replaces("autograd.graph.save_on_cpu")
def save_on_cpu_copies_always(original: Any, *args: Any, **kwargs: Any) -> Any:
    """save_on_cpu copies tensors that are on the CPU already."""
    return torch.autograd.graph.saved_tensors_hooks(
        lambda tensor: untouched.detach(tensor).clone(), lambda packed: packed
    )


def kind_of_saved_tensors() -> Any:
    """The class of what a node shows as a raw saved value."""
    leaf = torch.ones(1, requires_grad=True)
    return type(untouched.pow(leaf, 2).grad_fn._raw_saved_self)


@fault
def hooks_of_one_saved_tensor_are_ignored(patch: Patch) -> None:
    """register_hooks on one saved tensor has no effect."""
    patch.wrap(
        kind_of_saved_tensors(),
        "register_hooks",
        lambda original: lambda self, pack, unpack: None,
    )


@fault
def what_one_saved_tensor_is_packed_into_is_ignored(patch: Patch) -> None:
    """register_hooks on one saved tensor calls the pack hook, and unpacks the tensor itself."""

    def make(original: Any) -> Any:
        def register_hooks(self: Any, pack: Any, unpack: Any) -> None:
            original(self, lambda tensor: (pack(tensor), tensor), lambda packed: unpack(packed[1]))

        return register_hooks

    patch.wrap(kind_of_saved_tensors(), "register_hooks", make)
