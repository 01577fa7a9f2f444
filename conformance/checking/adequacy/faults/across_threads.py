"""Faults of graphs that one thread records and another one differentiates."""

from __future__ import annotations

import threading
from typing import Any

from ..breaking import Patch, fault, inside, torch
from .checkpoints import with_function


@fault
def what_functions_saved_stays_in_its_thread(patch: Patch) -> None:
    """In another thread than the one that called it, the backward of a custom function finds nothing saved."""

    def make(original: Any) -> Any:
        def save(self: Any, *tensors: Any) -> None:
            self.note_of_thread = threading.get_ident()
            original(self, *tensors)

        return save

    def saved(self: Any) -> tuple[Any, ...]:
        this = threading.get_ident()
        found = inside.saved_tensors(self)
        return tuple(found) if getattr(self, "note_of_thread", this) == this else ()

    patch.wrap(inside.function_context, "save_for_backward", make)
    patch.set(inside.function_node, "saved_tensors", property(saved))


@fault
def second_runs_in_other_threads_record_nothing(patch: Patch) -> None:
    """In another thread than the one that called it, the function of a checkpoint runs again under no_grad."""
    first: dict[Any, int] = {}

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        this = threading.get_ident()
        if not run:
            first[function] = this
        if first.get(function, this) == this:
            return function(*args, **kwargs)
        with torch.no_grad():
            return function(*args, **kwargs)

    with_function(patch, change)
