"""Saving and loading tensors: leaves that keep data and flag, without history."""

from __future__ import annotations

import pickle
import threading
from typing import Any

__all__ = ["load", "located", "save"]


class Loading(threading.local):
    """The ``map_location`` of the ``load`` that is running in a thread."""

    location: Any = None


loading = Loading()


def located(device: Any) -> Any:
    """Where a tensor that was saved from a device is to live when it is read."""
    to = loading.location
    if to is None:
        return device
    if isinstance(to, dict):
        return to.get(str(device), device)
    return to


def save(obj: Any, f: Any) -> None:
    """Write an object made of tensors to a path or an open binary file."""
    if hasattr(f, "write"):
        pickle.dump(obj, f)
        return
    with open(f, "wb") as file:
        pickle.dump(obj, file)


def load(f: Any, map_location: Any = None, weights_only: bool = True) -> Any:
    """Read what ``save`` wrote; only from files that you trust, since it is unpickled.

    ``map_location`` is the device that tensors come to live on, or a dict from the device that each
    was saved from; by default that device itself.
    """
    held, loading.location = loading.location, map_location
    try:
        if hasattr(f, "read"):
            return pickle.load(f)
        with open(f, "rb") as file:
            return pickle.load(file)
    finally:
        loading.location = held
