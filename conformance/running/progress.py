"""The progress of a run: a bar on a terminal, a line a minute elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

EVERY = 60.0
"""After so many seconds another line is printed where there is no terminal."""


class Advance(Protocol):
    """Told that some cases are done, and whether they failed."""

    def __call__(self, steps: int = 1, failed: bool = False) -> None: ...


@contextmanager
def progress(total: int) -> Iterator[Advance]:
    """Show how many cases are done, with the failures so far and the time left."""
    if not sys.stderr.isatty():
        yield Lines(total).advance
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[failed]} failed"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task("cases", total=total, failed=0)
        failures = 0

        def advance(steps: int = 1, failed: bool = False) -> None:
            nonlocal failures
            failures += failed
            shown.update(task, advance=steps, failed=failures)

        yield advance


class Lines:
    """Progress for a log: nothing in the first minute, then a line a minute."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.clock = clock
        self.done = self.failed = 0
        self.before: int | None = None
        """How many were done before the first that was run now, in a run that is resumed."""
        self.begun = self.told = clock()

    def advance(self, steps: int = 1, failed: bool = False) -> None:
        """Note what is done, and print a line if it is time."""
        self.done += steps
        self.failed += failed
        if self.before is None:
            self.before = self.done
        now = self.clock()
        if now - self.told >= EVERY and self.done < self.total:
            self.told = now
            print(self.line(now - self.begun), file=sys.stderr, flush=True)

    def line(self, seconds: float) -> str:
        """How far the run is after this time."""
        told = f"{self.done} of {self.total} cases, {self.failed} failed"
        ran = self.done - (self.before or 0)
        if not ran:
            return told
        minutes = seconds / ran * (self.total - self.done) / 60
        left = f"{minutes:.0f} min" if minutes >= 1 else "less than a minute"
        return f"{told}, {left} left"
