"""``torch.random``: the state of the random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .ops.draw import manual_seed, set_rng_state
from .ops.generator import DEFAULT, Generator

__all__ = [
    "Generator", "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed",
    "seed", "set_rng_state",
]  # fmt: skip

default_generator = DEFAULT
get_rng_state = DEFAULT.get_state
initial_seed = DEFAULT.initial_seed
seed = DEFAULT.seed


@contextmanager
def fork_rng(devices: Any = (), enabled: bool = True) -> Iterator[None]:
    """What is drawn inside leaves the random numbers after the block as they would have been."""
    held = DEFAULT.get_state()
    try:
        yield
    finally:
        if enabled:
            DEFAULT.set_state(held)
