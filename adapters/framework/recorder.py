"""Records the observations of a program that runs in this process."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import concurrency
from .classify import message_of
from .engine import Plain

if TYPE_CHECKING:
    from .python_engine import Needs, PythonEngine


class Recorder:
    """The functions that a program is given to report with."""

    __slots__ = ("engine", "needs", "observed", "traces")

    def __init__(self, engine: PythonEngine, needs: Needs) -> None:
        self.engine = engine
        self.needs = needs
        self.observed: list[tuple[int, Plain]] = []
        self.traces: list[Any] = []
        concurrency.begin(engine.enter_thread)

    def observe(self, index: int, *values: Any) -> None:
        """Report the value of an assert, or both sides of one; a tensor's values are read now."""
        describe = self.engine.describe
        if len(values) == 1:
            self.observed.append((index, describe(values[0])))
        else:
            self.observed.append((index, {"pair": [describe(value) for value in values]}))

    def ended(self, index: int, error: BaseException | None) -> None:
        """Report how a block ended. Raises `Unsupported` when it ended for want of a word."""
        if error is None:
            self.observed.append((index, {"ended": {"how": "normally"}}))
            return
        kind = self.engine.classifier.kind(error, self.needs.asked)
        shown = {
            "how": "refused",
            "kind": kind,
            "type": type(error).__name__,
            "message": message_of(error)[:500],
        }
        self.observed.append((index, {"ended": shown}))

    @contextmanager
    def recorded(self, index: int) -> Iterator[None]:
        """Report the warnings that a block gives."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        classifier = self.engine.warning_classifier
        found = [
            {
                "kind": classifier.warning(item.category, str(item.message)),
                "type": item.category.__name__,
                "message": str(item.message)[:300],
            }
            for item in caught
        ]
        self.observed.append((index, {"warnings": found}))

    def run_in_thread(self, block: Callable[[], None]) -> None:
        """Run a block in a thread of its own and wait for it; its exception is raised here."""
        concurrency.concurrently(block)

    def trace(self, label: str, *values: Any) -> None:
        """Note that something was called, with the values that it saw."""
        self.engine.count(1)
        described = [self.engine.describe(value) for value in values]
        self.traces.append({"tuple": [label, *described]} if described else label)

    def traced(self) -> Any:
        """What was noted so far, in order."""
        return Described({"list": list(self.traces)})


class Described:
    """A value that is described already."""

    __slots__ = ("plain",)

    def __init__(self, plain: Plain) -> None:
        self.plain = plain

    def __len__(self) -> int:
        return len(self.plain["list"])
