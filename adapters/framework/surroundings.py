"""What a program may disturb in the process that it runs in, put back after each one."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any


class Terminated(KeyboardInterrupt):
    """Somebody asked the run to end with SIGTERM; it is cut short as by Ctrl-C."""


class Surroundings:
    """Takes note of this process as it is; `restore` puts back what a program left otherwise, so
    that the next program finds what it would have found alone."""

    __slots__ = ("collects", "depth", "folder", "handler", "interrupted", "process", "streams")

    def __init__(self) -> None:
        self.process = os.getpid()
        self.depth = sys.getrecursionlimit()
        self.streams = (sys.stdin, sys.stdout, sys.stderr)
        self.folder = current_folder()
        self.collects = gc.isenabled()
        self.interrupted = False
        """Whether somebody pressed Ctrl-C; an engine that raises KeyboardInterrupt did not."""
        self.handler: Any = None
        if threading.current_thread() is threading.main_thread():
            self.handler = signal.signal(signal.SIGINT, self.interrupt)

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        self.interrupted = True
        if callable(self.handler):
            self.handler(signum, frame)

    def restore(self) -> None:
        if os.getpid() != self.process:
            os._exit(0)  # a child that the engine forked must not go on as if it were this process
        if self.handler is not None:
            signal.signal(signal.SIGINT, self.handler)
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
