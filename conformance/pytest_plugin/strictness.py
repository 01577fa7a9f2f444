"""Keeps a strict pytest configuration from failing a case whose verdict is a pass.

pytest reports an exception in an engine's `__del__`, or in a thread of its own, as a warning in
whichever test runs at the time. Where the user's `filterwarnings` turns warnings into errors, that
test fails. The verdict on a case is the judge's alone, so here such warnings fail nothing.

pytest's log handlers also raise an error, in the middle of the engine, if it logs a message with
arguments that do not fit, as PyTorch's debug mode does. Elsewhere `logging` prints such errors.
"""

from __future__ import annotations

import logging
import sys
import threading
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from _pytest.logging import LogCaptureHandler

from .run import CaseItem, SuiteFile

_STRAY = (pytest.PytestUnraisableExceptionWarning, pytest.PytestUnhandledThreadExceptionWarning)


@contextmanager
def unwatched() -> Iterator[None]:
    """Meanwhile stray exceptions are printed, as Python does by default, and not reported to pytest."""
    hooks = sys.unraisablehook, threading.excepthook
    sys.unraisablehook, threading.excepthook = sys.__unraisablehook__, threading.__excepthook__
    handlers = [h for h in logging.getLogger().handlers if isinstance(h, LogCaptureHandler)]
    for handler in handlers:
        vars(handler)["handleError"] = partial(logging.Handler.handleError, handler)
    try:
        yield
    finally:
        sys.unraisablehook, threading.excepthook = hooks
        for handler in handlers:
            del vars(handler)["handleError"]


class EngineExceptions:
    """The plugin: for our own items and the end of the session, and for no other test."""

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """For what is collected as garbage between two cases, while pytest watches. Markers of the
        file count for all its cases, and cost less than one of each."""
        if isinstance(collector, SuiteFile):
            for category in _STRAY:
                ignore = pytest.mark.filterwarnings(f"ignore::pytest.{category.__name__}")
                collector.add_marker(ignore)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        if not isinstance(item, CaseItem):
            return (yield)
        with unwatched():
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self) -> None:
        """pytest collects garbage once more at its end, and what the engine left is among it.

        The filters end with the configuration, and so do the hooks.
        """
        for category in _STRAY:
            warnings.simplefilter("ignore", category)
        sys.unraisablehook, threading.excepthook = sys.__unraisablehook__, threading.__excepthook__
