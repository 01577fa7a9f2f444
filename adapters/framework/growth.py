"""The memory of an engine's process: limits it, and notices a process that leaks before it reaches its
limit, since the case that then happens to run would fail for what earlier ones left."""

from __future__ import annotations

SETTLED = 5
"""After so many programs an engine has set up what it keeps: caches, pools, compiled code."""


class Growth:
    """The growth of a process from now on, against the limit of its memory in bytes."""

    def __init__(self, limit: int, pid: int | str = "self") -> None:
        self.limit = limit
        self.pid = pid
        self.answers = 0
        self.start = self.settled = data_size(pid)

    def too_much(self) -> bool:
        """Whether the process should be replaced after this answer: it has used half of its memory, and
        half of that since it had settled."""
        size = data_size(self.pid)
        self.answers += 1
        if self.answers <= SETTLED:
            self.settled = size
            return False
        return size - self.start > self.limit // 2 and size - self.settled > self.limit // 4


def data_size(pid: int | str = "self") -> int:
    """How many bytes a process has allocated, used or not; 0 where the system does not tell. Addresses
    that are only reserved, as the drivers of GPUs and JavaScript engines do, do not count."""
    try:
        import resource

        with open(f"/proc/{pid}/statm", "rb") as statm:
            return int(statm.read().split()[5]) * resource.getpagesize()
    except (ImportError, OSError, ValueError, IndexError):
        return 0


def limit_data(mebibytes: int, pid: int | str = "self") -> bool:
    """Limit how much more memory a process may allocate, if the system supports it; whether it does."""
    size = data_size(pid)
    try:
        import resource

        limit = size + mebibytes * 1024 * 1024
        resource.prlimit(0 if pid == "self" else int(pid), resource.RLIMIT_DATA, (limit, limit))
    except (ImportError, OSError, AttributeError, ValueError):
        return False
    return size > 0
