"""Notices a process that leaks memory, before it reaches its limit: the case that then happens to run
would fail for what earlier ones left."""

from __future__ import annotations

SETTLED = 5
"""After so many programs an engine has set up what it keeps: caches, pools, compiled code."""


class Growth:
    """The growth of a process from now on, against the limit of its memory in bytes."""

    def __init__(self, limit: int, pid: int | str = "self") -> None:
        self.limit = limit
        self.pid = pid
        self.answers = 0
        self.start = self.settled = address_space(pid)

    def too_much(self) -> bool:
        """Whether the process should be replaced after this answer: it has used half of its memory, and
        half of that since it had settled."""
        size = address_space(self.pid)
        self.answers += 1
        if self.answers <= SETTLED:
            self.settled = size
            return False
        return size - self.start > self.limit // 2 and size - self.settled > self.limit // 4


def address_space(pid: int | str = "self") -> int:
    """How many bytes of memory a process has reserved; 0 where the system does not tell."""
    try:
        import resource

        with open(f"/proc/{pid}/statm", "rb") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError, IndexError):
        return 0
