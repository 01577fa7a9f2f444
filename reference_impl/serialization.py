"""Saving and loading tensors: leaves that keep data and flag, without history."""

from __future__ import annotations

import io
import pickle
import threading
from typing import Any

from . import errors

__all__ = ["load", "located", "save"]


class Running(threading.local):
    """What a thread is doing: the ``map_location`` of a ``load``, and whether it is in ``save``,
    which keeps tensors in the memory that they share."""

    location: Any = None
    saving: bool = False


running = Running()


def located(device: Any) -> Any:
    """Where a tensor that was saved from a device is to live when it is read."""
    to = running.location
    if to is None:
        return device
    if isinstance(to, dict):
        return to.get(str(device), device)
    return to


def save(obj: Any, f: Any) -> None:
    """Write an object made of tensors to a path or an open binary file."""
    held, running.saving = running.saving, True
    try:
        written = pickle.dumps(obj)
    finally:
        running.saving = held
    if hasattr(f, "write"):
        f.write(written)
        return
    with open(f, "wb") as file:
        file.write(written)


def load(f: Any, map_location: Any = None, weights_only: bool = True, **options: Any) -> Any:
    """Read what ``save`` wrote.

    ``map_location`` is the device that tensors come to live on, or a dict from the device that each
    was saved from; by default that device itself. With ``weights_only`` nothing but tensors,
    numbers, texts and containers of them is read; without it any code that the file names is run,
    so the file must be trusted.

    Raises:
        UnpicklingError: something else is in the file, and ``weights_only``.
    """
    held, running.location = running.location, map_location
    reader = WeightsOnly if weights_only else pickle.Unpickler
    try:
        if hasattr(f, "read"):
            return reader(f).load()
        with open(f, "rb") as file:
            return reader(io.BytesIO(file.read())).load()
    finally:
        running.location = held


HARMLESS = {
    ("_codecs", "encode"),
    ("builtins", "bytearray"), ("builtins", "complex"), ("builtins", "set"),
    ("collections", "Counter"), ("collections", "OrderedDict"), ("collections", "defaultdict"),
    ("numpy", "dtype"), ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"), ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.core.multiarray", "_reconstruct"), ("numpy.core.multiarray", "scalar"),
}  # fmt: skip
"""What a file of weights may name besides our own rebuilding functions."""
REBUILDING = {
    "backend.device": {"of_parts"}, "backend.dtypes": {"BFLOAT16", "by_name"},
    "ops.methods": {"rebuild"}, "tensor.state": {"of_sizes"},
    "backend.bfloat16": {"BFloat16Array", "stored"}, "nn.module": {"rebuild_parameter"},
}  # fmt: skip


class WeightsOnly(pickle.Unpickler):
    """Reads tensors and plain data, and refuses to run anything else."""

    def find_class(self, module: str, name: str) -> Any:
        package, _, room = module.partition(f"{__package__}.")
        ours = not package and name in REBUILDING.get(room, ())
        if ours or (module, name) in HARMLESS:
            return super().find_class(module, name)
        raise errors.wrong_value(
            f"Weights only load failed: the file names {module}.{name}, which is no tensor and no "
            "plain data. If it comes from a source you trust, load with weights_only=False.",
            pickle.UnpicklingError,
        )
