"""Notes on tensors and nodes, which a fault takes while an engine is broken."""

from __future__ import annotations

import weakref
from typing import Any

from .engine import torch

__all__ = ["Marked", "Notes"]


class ByIdentity:
    """Values by tensor, for as long as the tensor lives. Tensors compare by element, so an ordinary
    dictionary would not ask whether they are the same."""

    def __init__(self) -> None:
        self.held: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def __contains__(self, key: Any) -> bool:
        return id(key) in self.held

    def __getitem__(self, key: Any) -> Any:
        return self.held[id(key)][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        number = id(key)
        self.held[number] = weakref.ref(key, lambda _: self.held.pop(number, None)), value

    def pop(self, key: Any, default: Any = None) -> Any:
        return self.held.pop(id(key), (None, default))[1]


class Notes:
    """Notes on tensors or nodes, which end with them. Nodes carry a dictionary of their own."""

    def __init__(self) -> None:
        self.of_tensors = ByIdentity()

    def at(self, key: Any) -> tuple[Any, Any]:
        """The dictionary that holds the note on `key`, and where in it."""
        return (self.of_tensors, key) if isinstance(key, torch.Tensor) else (key.metadata, self)

    def __contains__(self, key: Any) -> bool:
        notes, place = self.at(key)
        return place in notes

    def __getitem__(self, key: Any) -> Any:
        notes, place = self.at(key)
        return notes[place]

    def __setitem__(self, key: Any, value: Any) -> None:
        notes, place = self.at(key)
        notes[place] = value

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key is not None and key in self else default

    def setdefault(self, key: Any, default: Any) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: Any, default: Any = None) -> Any:
        notes, place = self.at(key)
        return notes.pop(place, default)


class Marked:
    """Tensors or nodes that are marked, as long as they live."""

    def __init__(self) -> None:
        self.notes = Notes()

    def add(self, value: Any) -> None:
        self.notes[value] = True

    def update(self, values: Any) -> None:
        for value in values:
            self.add(value)

    def __contains__(self, value: Any) -> bool:
        return value is not None and value in self.notes
