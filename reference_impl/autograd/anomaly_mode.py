"""Anomaly detection: finding the operation whose backward fails or gives NaN."""

from __future__ import annotations

import warnings

from ..mode import mode

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class detect_anomaly:
    """Within the block, a backward pass that fails tells where the operation was called, and NaN
    makes it fail unless ``check_nan`` is False. It applies to all threads."""

    def __init__(self, check_nan: bool = True) -> None:
        self.prev = mode.anomaly
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been switched on: each operation notes where it was called, "
            "which is slow. Use it for debugging only.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        set_anomaly(self.check_nan)

    def __exit__(self, *exc: object) -> None:
        set_anomaly(self.prev)


class set_detect_anomaly:
    """Switch anomaly detection at once as a call, or for a block as a context manager."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev = anomaly()
        set_anomaly(check_nan if mode else None)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        set_anomaly(self.prev)


def anomaly() -> bool | None:
    """What is switched on: None for nothing, else whether NaN is checked for."""
    return mode.anomaly


def set_anomaly(check_nan: bool | None) -> None:
    """Switch it off (None) or on in all threads, with or without the check for NaN."""
    type(mode).anomaly = check_nan
    mode.update_all()


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is on."""
    return mode.anomaly is not None


def is_anomaly_check_nan_enabled() -> bool:
    """Whether it checks for NaN."""
    return mode.anomaly is not False
