"""Faults of the blocks of hooks for saved tensors, and of what goes through them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ..breaking import Patch, fault, torch
from .saved_hooks import Pair, pairs


@fault
def none_packs_nothing(patch: Patch) -> None:
    """If a packing hook returns None, the unpacking hook is given the tensor that was saved."""

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            found = pack(tensor)
            return tensor.detach() if found is None else found

        return packed, unpack

    pairs(patch, change)


@fault
def unpacking_conjugates(patch: Patch) -> None:
    """Complex numbers that were packed come back conjugated."""

    def change(pack: Any, unpack: Any) -> Pair:
        def unpacked(packed: Any) -> Any:
            found = unpack(packed)
            complex_one = isinstance(found, torch.Tensor) and found.is_complex()
            return found.conj().resolve_conj() if complex_one else found

        return pack, unpacked

    pairs(patch, change)


@fault
def a_pair_serves_one_block(patch: Patch) -> None:
    """An object of saved_tensors_hooks that is entered a second time has no effect."""
    used: list[Any] = []
    idle: list[Any] = []

    def enter(original: Any) -> Any:
        def run(self: Any) -> Any:
            if any(self is each for each in used):
                idle.append(self)
                return None
            used.append(self)
            return original(self)

        return run

    def leave(original: Any) -> Any:
        def run(self: Any, *error: Any) -> Any:
            if any(self is each for each in idle):
                idle.remove(self)
                return None
            return original(self, *error)

        return run

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__enter__", enter)
    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__exit__", leave)
    patch.at_end(used.clear)
    patch.at_end(idle.clear)


def stays_after_an_error(patch: Patch, name: str) -> None:
    """Let an error not end the block that `torch.autograd.graph.NAME` begins."""
    left: list[Any] = []

    def make(original: Any) -> Any:
        @contextlib.contextmanager
        def block(*args: Any) -> Iterator[Any]:
            whole = original(*args)
            entered = whole.__enter__()
            try:
                yield entered
            except Exception:
                left.append(whole)
                raise
            whole.__exit__(None, None, None)

        return block

    def end() -> None:
        while left:
            left.pop().__exit__(None, None, None)

    patch.wrap(torch.autograd.graph, name, make)
    patch.at_end(end)


@fault
def an_error_leaves_hooks_forbidden(patch: Patch) -> None:
    """If an error leaves a block of disable_saved_tensors_hooks, hooks for saved tensors stay forbidden."""
    stays_after_an_error(patch, "disable_saved_tensors_hooks")


@fault
def an_error_leaves_mutation_allowed(patch: Patch) -> None:
    """If an error leaves a block of allow_mutation_on_saved_tensors, no other can begin."""
    stays_after_an_error(patch, "allow_mutation_on_saved_tensors")
