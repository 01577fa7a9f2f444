"""What a program may disturb in the process that it runs in, put back after each one."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM)
"""Signals by which a run is ended, where somebody has set a handler for them."""


class Surroundings:
    """Takes note of this process as it is; `restore` puts back what a program left otherwise, so
    that the next program finds what it would have found alone."""

    __slots__ = ("collects", "depth", "folder", "handlers", "interrupted", "process", "streams")

    def __init__(self) -> None:
        self.process = os.getpid()
        self.depth = sys.getrecursionlimit()
        self.streams = (sys.stdin, sys.stdout, sys.stderr)
        self.folder = current_folder()
        self.collects = gc.isenabled()
        self.interrupted = False
        """Whether somebody wants the run to end; an engine that raises KeyboardInterrupt does not."""
        self.handlers: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in INTERRUPTIONS:
                if callable(handler := signal.getsignal(number)):
                    self.handlers[number] = handler
                    signal.signal(number, self.interrupt)

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        self.interrupted = True
        self.handlers[signum](signum, frame)

    def restore(self) -> None:
        if os.getpid() != self.process:
            os._exit(0)  # a child that the engine forked must not go on as if it were this process
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        if sys.getrecursionlimit() != self.depth:
            sys.setrecursionlimit(self.depth)
        sys.stdin, sys.stdout, sys.stderr = self.streams
        if self.folder and current_folder() != self.folder:
            os.chdir(self.folder)
        if gc.isenabled() is not self.collects:
            (gc.enable if self.collects else gc.disable)()


def current_folder() -> str:
    """The folder one stands in, or the empty string if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""
