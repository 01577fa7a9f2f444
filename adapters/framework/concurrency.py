"""The threads of a program: they have numbers, run at the same time, and wait for each other.

`concurrently` and `meet` let a program say which steps of its threads come before which others, so
that what it observes never depends on how the operating system schedules them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

MOST_FUNCTIONS = 64
LONGEST_WAIT = 5.0
"""How many seconds `meet` waits. Threads of an engine that runs one pass at a time never all arrive."""


class Meeting:
    """Where the functions of one `concurrently` wait for each other."""

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.waiting = 0
        self.rounds = 0
        self.changed = threading.Condition()

    def wait(self) -> None:
        """Return once every function that has not ended yet waits here.

        Raises:
            TimeoutError: some of them did not come.
        """
        with self.changed:
            self.waiting += 1
            this = self.rounds
            self.open_if_all_are_here()
            if not self.changed.wait_for(lambda: self.rounds != this, LONGEST_WAIT):
                self.waiting -= 1
                raise TimeoutError(
                    f"the other threads did not come to meet() within {LONGEST_WAIT:g} s; the engine may "
                    "run one backward pass at a time"
                )

    def leave(self) -> None:
        """Expect one function less."""
        with self.changed:
            self.expected -= 1
            self.open_if_all_are_here()

    def open_if_all_are_here(self) -> None:
        if self.waiting and self.waiting >= self.expected:
            self.waiting = 0
            self.rounds += 1
            self.changed.notify_all()


class Place(threading.local):
    """What a thread is to the program."""

    meeting: Meeting | None = None

    def __init__(self) -> None:  # called once in each thread
        is_first = threading.current_thread() is threading.main_thread()
        self.number: int | None = 0 if is_first else None
        """In which order the program's threads started; None for a thread of the engine."""


class Run:
    """One function in a thread of its own."""

    def __init__(self, function: Callable[[], Any], meeting: Meeting) -> None:
        self.function = function
        self.meeting = meeting
        self.number = next(numbers)
        self.result: Any = None
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self.body, daemon=True)

    def body(self) -> None:
        place.number, place.meeting = self.number, self.meeting
        try:
            enter()
            self.result = self.function()
        except BaseException as error:
            self.error = error
        finally:
            self.meeting.leave()


def nothing() -> None:
    """What most engines need in a new thread."""


place = Place()
numbers = count(1)
enter: Callable[[], None] = nothing
"""What the engine needs at the start of each thread of a program."""


def begin(prepare: Callable[[], None] = nothing) -> None:
    """A program begins in the current thread, which is its thread 0; `prepare` is called in each other one."""
    global numbers, enter
    numbers, enter = count(1), prepare
    place.number, place.meeting = 0, None


def concurrently(*functions: Callable[[], Any]) -> list[Any]:
    """Call functions at the same time, each in a thread of its own, and wait for all of them.

    Returns what they return, in the order of the functions. If some raise an exception, that of the
    first of them is raised here.
    """
    if len(functions) > MOST_FUNCTIONS:
        raise ValueError(f"expected at most {MOST_FUNCTIONS} functions, found {len(functions)}")
    meeting = Meeting(len(functions))
    runs = [Run(function, meeting) for function in functions]
    for run in runs:
        run.thread.start()
    for run in runs:
        run.thread.join()
    errors = [run.error for run in runs if run.error is not None]
    results = [run.result for run in runs]
    del runs
    try:
        if errors:
            raise errors[0]
        return results
    finally:
        del errors, results  # an exception refers to this call, which must not refer to it


def meet() -> None:
    """Wait until every other function of this `concurrently` waits here too, or has ended."""
    if place.meeting is None:
        raise RuntimeError(
            "meet() waits for the other functions of a concurrently(), but found none"
        )
    place.meeting.wait()


def this_thread() -> int | None:
    """The number of this thread: 0 for the program's first, then in the order in which they were
    started; None for a thread that the engine started."""
    return place.number
