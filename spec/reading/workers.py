"""Processes that share work whose results go into the cache: a first reading, or first drawings."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.pool import Pool

SET_DEATH_SIGNAL = 1
"""An option of prctl, from linux/prctl.h."""


def can_share() -> bool:
    """Whether several processes are of use here. Threads do not survive a fork."""
    several = hasattr(os, "fork") and (os.cpu_count() or 1) > 1
    return several and threading.active_count() == 1


def workers() -> Pool:
    """As many processes as there are cores. They end by signals, without what this one does then, and on Linux
    with this one, even if it is killed: they hold its standard output, whose reader would wait for them."""
    parent = os.getpid()
    return multiprocessing.get_context("fork").Pool(initializer=_end, initargs=(parent,))


def _end(parent: int) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it ended before this was set
            os._exit(1)
