"""Saving and loading tensors: leaves that keep data and flag, without history."""

from __future__ import annotations

import pickle
from typing import Any

__all__ = ["load", "save"]


def save(obj: Any, f: Any) -> None:
    """Write an object made of tensors to a path or an open binary file."""
    if hasattr(f, "write"):
        pickle.dump(obj, f)
        return
    with open(f, "wb") as file:
        pickle.dump(obj, file)


def load(f: Any, map_location: Any = None, weights_only: bool = True) -> Any:
    """Read what ``save`` wrote; only from files that you trust, since it is unpickled."""
    if hasattr(f, "read"):
        return pickle.load(f)
    with open(f, "rb") as file:
        return pickle.load(file)
