"""Runs the suite on the engine of an entry: `gradspec run` in a process of its own, whose journal is
watched. A run that was killed leaves a journal, with which the next one goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import gradspec.adapters
from gradspec.adapters.framework.channel import GUARDIAN

from .. import judging
from ..running.journal import Journal, JournalError, read_journal
from .entries import Entry
from .environments import last_lines, python_of

ADAPTERS = Path(gradspec.adapters.__path__[0])
PATROL = 0.5
"""How often, in seconds, the journal is looked at."""
SCRIPTS = (".py", ".js", ".mjs")
GRACE = 20.0
"""How many seconds a run that is told to end has for it."""
Watcher = Callable[[int, int], None]
"""Is told how many cases have a verdict, and how many of them failed."""


class RunError(Exception):
    """The suite could not be run on an engine; the message says why and what to do."""


@dataclass(frozen=True)
class Job:
    """What to run, and where. `folder` is the campaign's; `select` and `spec` as in `gradspec run`."""

    entry: Entry
    folder: Path
    spec_digest: str
    jobs: int = 1
    select: str = ""
    spec: Path | None = None

    @property
    def environment(self) -> Path:
        return self.folder / "environments" / self.entry.name

    @property
    def install_log(self) -> Path:
        return self.folder / "logs" / f"{self.entry.name}-install.log"

    @property
    def run_log(self) -> Path:
        return self.folder / "logs" / f"{self.entry.name}-run.log"

    @property
    def journal(self) -> Path:
        """A run of only a part has a journal of its own, and never replaces a whole one."""
        part = ".part" if self.select else ""
        return self.folder / "journals" / f"{self.entry.name}{part}.jsonl"

    @property
    def record(self) -> Path:
        """Under which conditions the journal was written, and when."""
        return self.journal.with_suffix(".json")

    def filled(self, text: str, shell: bool = False) -> str:
        """A text of the entry with the folders that it names."""
        folders = {"environment": self.environment, "adapters": ADAPTERS}
        for name, folder in folders.items():
            path = str(folder.resolve())
            text = text.replace(f"{{{name}}}", shlex.quote(path) if shell else path)
        return text

    @property
    def impl(self) -> str:
        """The engine as --impl takes it; a command is split as by a shell, so its folders are quoted."""
        return self.filled(self.entry.impl, shell=self.entry.impl.startswith("exec:"))

    def command(self, resume: bool) -> list[str]:
        """The command that runs the suite."""
        command = [sys.executable, "-m", "gradspec.conformance.cli", "run", f"--impl={self.impl}"]
        python = python_of(self.entry, self.environment.resolve())
        command += [f"--python={python}"] if python else []
        command += ["--isolate", f"--journal={self.journal}", f"--jobs={self.jobs}"]
        command += [
            f"--{name}={self.filled(str(value))}" for name, value in self.entry.options.items()
        ]
        command += ["-k", self.select] if self.select else ["--failures=0"]
        command += [f"--spec={self.spec}"] if self.spec else []
        return [*command, "--resume"] if resume else command

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of the run."""
        own = {name: self.filled(value) for name, value in self.entry.variables.items()}
        return {"OMP_NUM_THREADS": "1", **os.environ, **own}

    def conditions(self) -> str:
        """A digest of all that decides the verdicts: if it changes, the engine is run again."""
        entry = asdict(self.entry)
        for told in ("title", "homepage", "tracker", "note", "language", "kind"):
            del entry[told]
        digest = hashlib.sha256(json.dumps([entry, self.spec_digest, self.select]).encode())
        for path in sources(self.impl):
            digest.update(path.read_bytes())
        return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Record:
    """What is known of a run beside its journal."""

    conditions: str
    date: str = ""
    """The day on which it ended; "" if it has not."""
    seconds: float = 0.0


def sources(impl: str) -> list[Path]:
    """The files that decide what an engine gets: its adapter, those of the framework, and the judge."""
    from gradspec.adapters.framework.registry import known_adapters

    files = [*ADAPTERS.glob("framework/*.py"), *Path(judging.__file__).parent.glob("*.py")]
    target = known_adapters()[impl].value if impl in known_adapters() else impl
    if target.startswith("gradspec.adapters."):
        files.append(ADAPTERS / f"{target.removeprefix('gradspec.adapters.').partition(':')[0]}.py")
    if target.startswith("exec:"):  # a harness may have several files
        for word in map(Path, shlex.split(target.removeprefix("exec:"))):
            files += word.parent.glob(f"*{word.suffix}") if word.suffix in SCRIPTS else []
    elif ".py:" in target:
        files.append(Path(target.rpartition(":")[0]))
    return sorted(path for path in files if path.suffix in SCRIPTS and path.is_file())


def read_record(job: Job) -> Record | None:
    """The record of a run; None if there is none."""
    try:
        return Record(**json.loads(job.record.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_record(job: Job, record: Record) -> None:
    job.record.parent.mkdir(parents=True, exist_ok=True)
    job.record.write_text(json.dumps(asdict(record)) + "\n", "utf-8")


def finished(job: Job) -> bool:
    """Whether there is a whole run, under the present conditions."""
    record = read_record(job)
    return (
        record is not None
        and bool(record.date)
        and record.conditions == job.conditions()
        and job.journal.exists()
    )


def run_engine(job: Job, watcher: Watcher = lambda done, failed: None) -> Journal:
    """Run the suite on an engine, or go on with a run that was cut short.

    Raises `RunError` if the run did not end as it should; the journal then has what was run.
    """
    conditions = job.conditions()
    before = read_record(job)
    resume = before is not None and before.conditions == conditions and job.journal.exists()
    if not resume:
        for path in (job.journal, job.record):
            path.unlink(missing_ok=True)
        before = Record(conditions)
    assert before is not None
    write_record(job, replace(before, date=""))
    begun = time.monotonic()
    status = watched(job, resume, watcher)
    spent = before.seconds + time.monotonic() - begun
    journal = whole_journal(job, status)
    today = datetime.now(UTC).date().isoformat()
    write_record(job, Record(conditions, today, round(spent, 1)))
    return journal


def whole_journal(job: Job, status: int) -> Journal:
    """The journal of a run that ended with this status. Raises `RunError` if it is not whole."""
    try:
        journal = read_journal(job.journal)
        whole = journal.footer is not None and not journal.footer.get("cut_short")
    except (JournalError, OSError):
        whole = False
    if whole and status in (0, 1):
        return journal
    raise RunError(
        f"the run ended with status {status} before all cases were run; the last lines of "
        f"{job.run_log}:\n{last_lines(job.run_log)}"
    )


def watched(job: Job, resume: bool, watcher: Watcher) -> int:
    """Run the command and tell the watcher how far it is; its exit status."""
    job.run_log.parent.mkdir(parents=True, exist_ok=True)
    counter = Counter(job.journal)
    with job.run_log.open("ab" if resume else "wb") as log, guarded(job, resume, log) as process:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(PATROL)
                watcher(*counter.count())
                return status
            watcher(*counter.count())


@contextlib.contextmanager
def guarded(job: Job, resume: bool, log: Any) -> Iterator[subprocess.Popen[bytes]]:
    """The process of a run, which ends with this one, however this one ends."""
    ours, theirs = socket.socketpair()
    guardian = [sys.executable, "-I", "-S", str(GUARDIAN), str(theirs.fileno()), "--"]
    with ours:
        with theirs:
            process = subprocess.Popen(
                [*guardian, *job.command(resume)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=job.variables, pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip
        try:
            yield process
        except BaseException:
            end_gently(process, ours)
            raise
    process.wait()


def end_gently(process: subprocess.Popen[bytes], control: socket.socket) -> None:
    """Let a run finish its journal. Whatever is left of it ends when the socket is closed."""
    told = control.recv(64).decode().split()  # `started PID`
    if len(told) == 2 and told[0] == "started":
        with contextlib.suppress(OSError):
            os.kill(int(told[1]), signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)


class Counter:
    """Counts the verdicts in a journal that another process writes."""

    FAILED = (b'"verdict": "fail"', b'"verdict": "crash"', b'"verdict": "timeout"')

    def __init__(self, path: Path) -> None:
        self.path = path
        self.place = self.done = self.failed = 0
        self.inode = 0

    def count(self) -> tuple[int, int]:
        """How many verdicts there are, and how many of them are failures."""
        with contextlib.suppress(OSError), self.path.open("rb") as file:
            found = os.fstat(file.fileno())
            if found.st_ino != self.inode or found.st_size < self.place:  # it was written anew
                self.place = self.done = self.failed = 0
                self.inode = found.st_ino
            file.seek(self.place)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self.place += len(line)
                self._add(line[:LONGEST])
        return self.done, self.failed

    def _add(self, line: bytes) -> None:
        if line.startswith(b'{"case"'):
            self.done += 1
            self.failed += any(mark in line for mark in self.FAILED)


LONGEST = 4096
"""Of how many bytes of a line the verdict is read, which stands near its beginning."""
