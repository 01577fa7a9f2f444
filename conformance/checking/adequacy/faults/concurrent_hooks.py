"""Faults of hooks, decorated generators and random numbers that several threads use at the same time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from inspect import isgeneratorfunction
from typing import Any

from ..breaking import Patch, fault, inside, replaces, torch
from .concurrent_modes import threads_within


@fault
def hooks_after_accumulation_take_turns(patch: Patch) -> None:
    """One lock is held while a hook after accumulation runs."""
    lock = threading.RLock()

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            def locked(tensor: Any) -> Any:
                with lock:
                    return hook(tensor)

            return original(self, locked)

        return register

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def packing_threads_take_turns(patch: Patch) -> None:
    """One lock is held while a tensor is packed."""
    lock = threading.RLock()

    def make(original: Any) -> Any:
        def init(self: Any, pack: Any, unpack: Any) -> None:
            def locked(tensor: Any) -> Any:
                with lock:
                    return pack(tensor)

            original(self, locked, unpack)

        return init

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__init__", make)


@fault
def hooks_are_numbered_by_thread(patch: Patch) -> None:
    """The first hook that a thread registers on a tensor replaces the first one of another thread."""
    first: dict[int, tuple[Any, Any]] = {}

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any, *args: Any, **kwargs: Any) -> Any:
            this = threading.current_thread()
            owner, handle = first.get(id(self), (None, None))
            made = original(self, hook, *args, **kwargs)
            if handle is None:
                first[id(self)] = this, made
            elif owner != this:
                handle.remove()
                first[id(self)] = this, made
            return made

        return register

    patch.wrap(torch.Tensor, "register_hook", make)


@replaces("no_grad.__call__")
def a_decorated_generator_remembers_one_mode(original: Any, self: Any, function: Any) -> Any:
    """A generator decorated by no_grad() keeps the mode to restore once for all of its calls."""
    if not isgeneratorfunction(function):
        return original(self, function)
    before = [True]

    def call(*args: Any, **kwargs: Any) -> Iterator[Any]:
        made = function(*args, **kwargs)
        while True:
            before[0] = torch.is_grad_enabled()
            inside.set_recording(False)
            try:
                item = next(made)
            except StopIteration:
                return
            finally:
                inside.set_recording(before[0])
            yield item

    return call


@fault
def a_map_forbids_random_numbers_to_all_threads(patch: Patch) -> None:
    """While one thread is in a function that vmap maps, other threads may not draw random numbers."""
    running = threads_within(patch, "vmap")

    def make(original: Any) -> Any:
        def draw(*args: Any, **kwargs: Any) -> Any:
            if set(running) - {threading.get_ident()}:
                raise RuntimeError("vmap: called random operation while in randomness error mode")
            return original(*args, **kwargs)

        return draw

    patch.wrap(torch, "rand", make)
