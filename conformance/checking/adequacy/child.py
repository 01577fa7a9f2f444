"""Work in a forked process of its own: a faulty engine cannot be imported twice in one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def start_child(work: Callable[[], bytes]) -> tuple[int, int]:
    """Start `work` in a child; its process number, and the channel on which its result comes.

    A child whose work raises ends with status 1, having sent nothing.
    """
    receive, send = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        os.close(receive)
        status = 1
        try:
            with os.fdopen(send, "wb") as channel:
                channel.write(work())
            status = 0
        finally:
            os._exit(status)
    os.close(send)
    return process, receive


def status_of(process: int) -> int:
    """Wait for a child's end; its exit status, negative where a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
