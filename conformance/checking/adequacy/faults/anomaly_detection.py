"""Faults of anomaly detection: when it looks for NaN, and what it tells."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, torch


@fault
def anomaly_mode_never_looks_for_nan(patch: Patch) -> None:
    """Anomaly detection never looks for NaN."""

    def around(run: Any, options: Any) -> Any:
        if not (torch.is_anomaly_enabled() and torch.is_anomaly_check_nan_enabled()):
            return run(options)
        inside.set_anomaly(True, False)
        try:
            return run(options)
        finally:
            inside.set_anomaly(True, True)

    around_pass(patch, around)


@fault
def check_nan_is_ignored(patch: Patch) -> None:
    """detect_anomaly(check_nan=False) looks for NaN all the same."""
    patch.wrap(
        torch.autograd.anomaly_mode.detect_anomaly,
        "__init__",
        lambda original: lambda self, check_nan=True: original(self),
    )


@fault
def anomaly_mode_outlives_its_block(patch: Patch) -> None:
    """Anomaly detection stays on after a block of detect_anomaly."""
    left: list[Any] = []

    def make(original: Any) -> Any:
        def leave(self: Any, *error: Any) -> None:
            left.append(self)
            original(self, *error)

        return leave

    def make_init(original: Any) -> Any:
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            left.clear()
            original(self, *args, **kwargs)

        return init

    def around(run: Any, options: Any) -> Any:
        if not left or torch.is_anomaly_enabled():
            return run(options)
        inside.set_anomaly(True, True)
        try:
            return run(options)
        finally:
            inside.set_anomaly(False)

    modes = torch.autograd.anomaly_mode
    patch.wrap(modes.detect_anomaly, "__exit__", make)
    patch.wrap(modes.set_detect_anomaly, "__init__", make_init)
    around_pass(patch, around)


@fault
def the_end_of_a_block_ends_anomaly_mode(patch: Patch) -> None:
    """The end of a block of set_detect_anomaly switches the detection off, also that of an outer one."""

    def make(original: Any) -> Any:
        def leave(self: Any, *error: Any) -> None:
            original(self, *error)
            inside.set_anomaly(False)

        return leave

    patch.wrap(torch.autograd.anomaly_mode.set_detect_anomaly, "__exit__", make)


def silent_when(patch: Patch, when: Callable[[], bool]) -> None:
    """Let passes not tell where the operation was called, where `when()`."""

    def around(run: Any, options: Any) -> Any:
        if not (torch.is_anomaly_enabled() and when()):
            return run(options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(options)

    around_pass(patch, around)


@fault
def anomaly_mode_does_not_tell_the_forward_call(patch: Patch) -> None:
    """A failing pass under anomaly detection does not tell where the operation was called."""
    silent_when(patch, lambda: True)


@fault
def anomaly_mode_tells_in_its_own_thread_only(patch: Patch) -> None:
    """A pass in another thread than the one that switched anomaly detection on does not tell where the
    operation was called."""
    switched: list[int] = []

    def noting(original: Any) -> Any:
        def entered(self: Any, *args: Any, **kwargs: Any) -> Any:
            switched.append(threading.get_ident())
            return original(self, *args, **kwargs)

        return entered

    modes = torch.autograd.anomaly_mode
    patch.wrap(modes.detect_anomaly, "__enter__", noting)
    patch.wrap(modes.set_detect_anomaly, "__init__", noting)
    silent_when(patch, lambda: bool(switched) and switched[-1] != threading.get_ident())
