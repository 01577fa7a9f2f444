"""``torch.cuda``: asked by scripts that run where they can."""

from __future__ import annotations

__all__ = ["device_count", "is_available", "manual_seed", "manual_seed_all"]


def is_available() -> bool:
    """Whether a CUDA device can be used."""
    return False


def device_count() -> int:
    """How many CUDA devices there are."""
    return 0


def manual_seed(seed: int) -> None:
    """Nothing: there is no generator on a device."""


manual_seed_all = manual_seed
