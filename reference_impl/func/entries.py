"""The entries of a ``vmap``. They are computed one after the other, unless the rule of a custom
function needs them all at once: then each of the others runs, in a thread of its own, until it calls
that function too, and all continue with what the rule gave for them. One of them runs at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Any

from .. import errors
from ..mode import mode
from ..ops.generator import DEFAULT

__all__ = ["Entries", "Entry"]

Call = tuple[Any, tuple[Any, ...]]
"""A custom function and its arguments."""

Mapped = tuple[Any, int]
"""An argument and its dimension that is mapped."""


class Abandoned(BaseException):
    """Ends the thread of an entry whose result is of no use any more."""


def gone_its_own_way() -> Exception:
    """The error where entries do not make the same calls."""
    return errors.custom_function(
        "vmap: expected the function to call the same custom functions for every entry, since a vmap rule "
        "takes all entries at once. Do not let it depend on values or on earlier calls which it calls."
    )


class Entries:
    """What the function gives for each entry, and what its batches are.

    Attributes:
        size: how many entries there are; none, where one of zeros stands for their shape.
        stream: the state of the random numbers that each entry draws, or None where they draw one after the
            other.
        outer: the entry of the ``vmap`` around this one, if any.
        transforms: how many function transforms run around it.
    """

    def __init__(
        self,
        calls: Sequence[Callable[[], Any]],
        size: int,
        mapped: dict[int, Mapped],
        stream: Any = None,
    ) -> None:
        self.size, self.mapped, self.stream = size, mapped, stream
        self.outer, self.transforms = mode.entry, mode.transforms
        self.modes = {name: value for name, value in vars(mode).items() if name != "fast"}
        self.entries = [Entry(self, k, call) for k, call in enumerate(calls)]

    def part_of(self, value: Any) -> Mapped | None:
        """The argument of which a value is the part for one entry."""
        return self.mapped.get(id(value))

    def results(self) -> list[Any]:
        """What each gives, in order."""
        try:
            return [entry.result() for entry in self.entries]
        finally:
            for entry in self.entries:
                entry.abandon()


class Entry:
    """One entry. `asked` is the call of a custom function at which it waits for the rule, and `given`
    what the rule gave."""

    def __init__(self, entries: Entries, place: int, call: Callable[[], Any]) -> None:
        self.entries, self.place, self.call, self.stream = entries, place, call, entries.stream
        self.thread: threading.Thread | None = None
        self.may_run: threading.Semaphore
        self.has_stopped: threading.Semaphore
        self.asked: Call | None = None
        self.given: Any = None
        self.found: list[Any] = []
        self.raised: list[BaseException] = []
        self.abandoned = False

    def result(self) -> Any:
        """What the function gives for it, computed here, or by its thread if that runs."""
        if self.thread is None:
            follow = mode.entries_follow or self.place + 1 < self.entries.size
            with mode.changed(entry=self, entries_follow=follow):
                self.draw_on()
                return self.call()
        self.go_on()
        if self.asked is not None:
            raise gone_its_own_way()
        return self.found.pop()

    def at_once(self, call: Call, rule: Callable[[list[tuple[Any, ...]]], list[Any]]) -> Any:
        """What a rule gives for this entry, when all have made the same call.

        Raises:
            RuntimeError: another entry does not make it.
        """
        if self.abandoned:
            raise Abandoned
        if self.thread is not None:
            self.asked = call
            self.stop_drawing()
            self.has_stopped.release()
            self.may_run.acquire()
            if self.abandoned:
                raise Abandoned
            self.asked = None
            self.draw_on()
            return self.given
        if self.place:
            raise gone_its_own_way()
        others = self.entries.entries[1:]
        self.stop_drawing()
        calls = [call[1]]
        for other in others:
            other.go_on()
            if other.asked is None or other.asked[0] is not call[0]:
                raise gone_its_own_way()
            calls.append(other.asked[1])
        self.draw_on()
        given = rule(calls)
        for other, its in zip(others, given[1:], strict=True):
            other.given = its
        return given[0]

    def draw_on(self) -> None:
        """Draw from its own stream, if it has one."""
        if self.stream is not None:
            DEFAULT.set_state(self.stream)

    def stop_drawing(self) -> None:
        """Note where its stream is."""
        if self.stream is not None:
            self.stream = DEFAULT.get_state()

    def go_on(self) -> None:
        """Let its thread run until it waits for a rule or ends.

        Raises:
            BaseException: the function raised it.
            RuntimeError: it ended before.
        """
        if self.found or (self.thread is not None and not self.thread.is_alive()):
            raise gone_its_own_way()
        if self.thread is None:
            self.may_run, self.has_stopped = threading.Semaphore(0), threading.Semaphore(0)
            self.thread = threading.Thread(target=copy_context().run, args=(self.run,), daemon=True)
            self.thread.start()
        else:
            self.may_run.release()
        self.has_stopped.acquire()
        if self.raised:
            raise self.raised.pop()

    def run(self) -> None:
        """The whole of its thread."""
        try:
            mode.set(**{**self.entries.modes, "entry": self, "entries_follow": True})
            self.draw_on()
            self.found.append(self.call())
        except BaseException as error:
            if not self.abandoned:
                self.raised.append(error)
        finally:
            self.has_stopped.release()

    def abandon(self) -> None:
        """End its thread, if that is waiting."""
        if self.thread is not None:
            self.abandoned = True
            self.may_run.release()
            self.thread.join()
