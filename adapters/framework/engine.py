"""The interface of an engine, whatever language it is written in.

This module and the others that a foreign interpreter loads (`python_engine`, `recorder`,
`host` and the adapters of Python engines) need only the standard library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Plain = Any  # a plain value, as gradspec.spec.values describes it


MISSING_GRADIENT = "missing-gradient"
"""The kind of an end for want of a gradient, where the operation itself is there."""


class Unsupported(Exception):
    """The engine lacks something that the program needs, which is not a failure."""

    kind = ""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class MissingGradient(Unsupported):
    """The engine has an operation, but not its gradient."""

    kind = MISSING_GRADIENT


class ProgramError(Exception):
    """The error of a program's own `stop("...")`; an engine passes it on unchanged."""


class CaseTimeout(BaseException):
    """The case ran out of time. Not an `Exception`, so that no program swallows it."""


class TooMuchReported(BaseException):
    """A program reports more values than a case may. Not an `Exception`, so that no program takes it
    for an error of the engine."""


MOST_REPORTED = 1 << 20
"""How many numbers and characters one run of a program may report."""


class EngineUnavailable(Exception):
    """The engine cannot be started at all; the message says why and what to do."""


@dataclass(frozen=True)
class Identity:
    """The engine's name, version and features. `features` is None for an engine that declares nothing:
    it is then assumed to support whatever words it has."""

    name: str
    version: str
    """"" if the engine does not say."""
    language: str = "Python"
    device: str = "cpu"
    features: frozenset[str] | None = None
    exact_kinds: bool = False
    details: Mapping[str, str] = field(default_factory=dict)
    widest_float: str = "float64"
    """`float32` if the engine has no float64 on this device: programs then run in float32 instead."""

    @property
    def title(self) -> str:
        """The name and the version, if there is one."""
        return f"{self.name} {self.version}".rstrip()


@dataclass(frozen=True)
class Limits:
    """The limits of an engine in a separate process, besides the time of each case: its memory, the
    size of an answer, and the time to start."""

    memory_mib: int = 4096
    answer_mib: float = 16.0
    start_seconds: float = 60.0

    @property
    def answer_bytes(self) -> int:
        return int(self.answer_mib * (1 << 20))


How = Literal["finished", "error", "unsupported", "crash", "timeout"]


UNTRACKED = "the result does not require grad"
"""The message of a program that finished although nothing could be differentiated in a `vjp` or `jvp` of
it, whose gradients are zeros then."""


@dataclass
class End:
    """How the run of a program ended.

    `kind` is the kind of error (see spec/errors.yaml); for a crash it is what crashed, and for
    `unsupported` it may be `missing-gradient`. `line` is
    the line of the YAML file that was running; `where` is the file and line of the engine, or of an
    adapter of its own, that raised, such as `my_engine/ops.py:88`, if known.
    """

    how: How
    kind: str = ""
    type: str = ""
    message: str = ""
    line: int = 0
    where: str = ""


@dataclass
class Observations:
    """An engine's observations: pairs of an expectation's index and a plain value, in order."""

    observed: list[tuple[int, Plain]]
    end: End
    seconds: float = 0.0
    retried: str = ""
    """How a first attempt ended that the engine's process did not survive, if there was one."""


class Engine(Protocol):
    """An engine under test."""

    identity: Identity

    def run(self, program: Any, timeout: float | None = None) -> Observations:
        """Run one program (a `gradspec.spec.model.Program`) and report what was observed.

        Never raises because of the engine: crashes and errors are part of the result.
        """
        ...

    def renew(self) -> bool:
        """Remove state that programs left behind in the engine, if possible; returns whether it was."""
        ...

    def close(self) -> None:
        """Release what the engine holds. Safe to call twice."""
        ...
