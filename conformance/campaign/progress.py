"""Shows how far a campaign is: live on a terminal, elsewhere in lines, at most one a minute for each run."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .campaign import FAILED, Audience, Result

EVERY = 60.0
"""How many seconds lie between two lines about one run."""


@contextmanager
def audience(total: int, engines: int, say: Callable[..., None]) -> Iterator[Audience]:
    """Who is told about a campaign over `engines` engines with `total` cases each."""
    if not sys.stderr.isatty():
        yield Lines(total, engines, say)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}, {task.fields[failed]:,} failed"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        yield Live(total, engines, say, shown)


class Lines:
    """Tells in lines."""

    def __init__(self, total: int, engines: int, say: Callable[..., None]) -> None:
        self.total, self.engines, self.say = total, engines, say
        self.number = 0
        self.begun = self.told = 0.0
        self.first = -1

    def begin(self, name: str, what: str) -> None:
        self.begun = self.told = time.monotonic()
        self.first = -1
        self.say(f"{name}: {what}", err=True)

    def watch(self, name: str, done: int, failed: int) -> None:
        now = time.monotonic()
        self.first = done if self.first < 0 else self.first  # of a run that goes on
        if now - self.told < EVERY:
            return
        self.told = now
        left = time_left(done - self.first, self.total - done, now - self.begun)
        self.say(f"{name}: {done:,} of {self.total:,} cases, {failed:,} failed{left}", err=True)

    def end(self, result: Result) -> None:
        self.number += 1
        brief = result.message.partition("\n")[0] if result.state in FAILED else result.message
        self.say(f"[{self.number}/{self.engines}] {result.name}: {result.state}; {brief}")


class Live(Lines):
    """Tells on a terminal: a bar for the run, and a line for each engine that is done."""

    def __init__(self, total: int, engines: int, say: Callable[..., None], shown: Any) -> None:
        super().__init__(total, engines, say)
        self.shown = shown
        self.tasks: dict[str, Any] = {}

    def begin(self, name: str, what: str) -> None:
        if name not in self.tasks:
            self.tasks[name] = self.shown.add_task("", total=self.total, failed=0)
        self.shown.reset(self.tasks[name], description=f"{name}: {what}", failed=0)

    def watch(self, name: str, done: int, failed: int) -> None:
        self.shown.update(self.tasks[name], completed=done, failed=failed)

    def end(self, result: Result) -> None:
        task = self.tasks.pop(result.name, None)
        if task is not None:
            self.shown.remove_task(task)
        super().end(result)


def time_left(done: int, left: int, seconds: float) -> str:
    """How long the rest takes at the pace so far, in words; nothing if there is no pace."""
    if done <= 0:
        return ""
    minutes = left * seconds / done / 60
    return f", {max(1, round(minutes))} min left"
