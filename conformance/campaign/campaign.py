"""A campaign: engine after engine, each installed and run; what goes wrong with one ends none of the others."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from ..judging.score import score_of
from ..running.journal import Journal, JournalError, read_journal
from .environments import InstallError, is_made, make_environment
from .runs import Job, RunError, Watcher, finished, run_engine

State = Literal["installed", "run", "kept", "not installed", "not run"]
FAILED: tuple[State, ...] = ("not installed", "not run")


@dataclass(frozen=True)
class Result:
    """What became of one engine: its score, or why there is none."""

    name: str
    state: State
    message: str = ""


class Audience(Protocol):
    """Who is told how far a campaign is."""

    def begin(self, name: str, what: str) -> None:
        """What is done with an engine now, such as "installing"."""

    def watch(self, name: str, done: int, failed: int) -> None:
        """How many cases of an engine have a verdict, and how many failed."""

    def end(self, result: Result) -> None:
        """What became of an engine."""


class Silence:
    """An audience that is not there."""

    def begin(self, name: str, what: str) -> None: ...
    def watch(self, name: str, done: int, failed: int) -> None: ...
    def end(self, result: Result) -> None: ...


def carry_out(
    job: Job, audience: Audience, only_install: bool = False, again: bool = False
) -> Result:
    """Install and run one engine. What was done before is kept; `again` runs it anew."""
    name = job.entry.name
    try:
        if not is_made(job.entry, job.environment):
            audience.begin(name, "installing")
            make_environment(job.entry, job.environment, job.install_log)
        if only_install:
            return Result(name, "installed", str(job.environment))
        if again:
            job.record.unlink(missing_ok=True)
        if finished(job):
            return Result(name, "kept", score_in(read_journal(job.journal)))
        audience.begin(name, "running")
        watcher: Watcher = lambda done, failed: audience.watch(name, done, failed)  # noqa: E731
        return Result(name, "run", score_in(run_engine(job, watcher)))
    except InstallError as error:
        return Result(name, "not installed", str(error))
    except (RunError, JournalError, OSError) as error:
        return Result(name, "not run", str(error))


def score_in(journal: Journal) -> str:
    """The score of a run in words."""
    scores = score_of(journal.verdicts)
    return f"MUST {scores.must}, the rest {scores.rest}"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other campaigns out of a campaign's folder. Raises `ValueError` if there is one."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ValueError(
                f"another campaign is using {folder}; wait for it, or choose another --directory"
            ) from error
        yield


def one_after_the_other(
    jobs: Sequence[Job], audience: Audience, only_install: bool, again: bool
) -> Iterator[Result]:
    """The results of a campaign on this machine."""
    for job in jobs:
        result = carry_out(job, audience, only_install, again)
        audience.end(result)
        yield result
