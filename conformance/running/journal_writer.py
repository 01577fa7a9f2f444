"""Writes the journal of a run, one line for each case, and never anything but a journal.

Only a new file, an empty one or an earlier journal is written to; a device, a FIFO, a folder or any
other file is left unchanged. During a run, a file beside the journal (`NAME.jsonl.running`)
holds a lock, so that two runs cannot write one journal, and names the case that is running, so that
a resumed run knows which case may have taken the process down.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import re
import secrets
import stat
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from gradspec.spec.model import Spec

from ..judging.verdict import NAMES, Verdict
from ..text import one_line
from .journal import line_of, line_of_verdict
from .journal_reading import FORMAT, SHOWN, Journal, JournalError, read_journal

LONGEST_HEADER = 1 << 20
MATTERS = (
    "device", "python", "isolate", "case_timeout", "case_memory", "case_answer", "start_timeout",
    "trust_words", "repeat",
)  # fmt: skip
"""The options that may change a verdict. The others select the engine, which the header describes,
and the cases."""
LINE = re.compile(rb'\s*(\{\s*"(case|gradspec)"\s*:|$)')
"""How the lines of a journal begin; the last one may be torn."""
MOVED_EVERY = 50
"""After so many lines it is asked whether the journal was moved elsewhere."""
MODE = 0o666
"""A journal is readable and writable as far as the user's umask allows, and never executable."""


class JournalWriter:
    """Appends to a journal. Every line is handed to the operating system at once. An engine in this
    process may step to another folder or write into the file: neither harms the journal.

    Nothing is written before the first verdict or `begin`, so that a run which runs nothing leaves an
    earlier journal as it was. Raises `JournalError` for a path that cannot or must not be written.
    """

    def __init__(
        self, path: Path, header: dict[str, Any], resume: bool = False, spec: Spec | None = None
    ) -> None:
        """A resumed journal is checked against `spec`."""
        self.named = path
        self.header = header
        self.spec = spec
        self.footer: dict[str, Any] = {}
        self.size = 0
        self.file = -1
        self.inode = (0, 0)
        self.marking = -1
        self.created = False
        self.done: dict[str, Verdict] = {}
        self.suspect, self.tries = "", 0
        try:
            self.real = os.path.realpath(path)  # of a link, what it leads to
            self.path = Path(self.real)
            self.marker = self.path.with_name(self.path.name + ".running")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.resuming = writable(self.path, path, read=not resume) and resume
            self._lock()
        except (OSError, ValueError) as error:
            why = "its folder is a file" if isinstance(error, FileExistsError) else told(error)
            raise JournalError(f"the journal {str(path)!r} cannot be written: {why}") from error
        try:
            if self.resuming:
                self._take_up()
        except BaseException:
            self._unlock()
            raise

    # --- opening ---

    def _lock(self) -> None:
        """Open the marker and lock it; what an earlier run left in it is the suspect."""
        while True:
            marking = os.open(
                self.marker, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, MODE
            )
            try:
                if not stat.S_ISREG(os.fstat(marking).st_mode):
                    raise OSError(errno.EINVAL, f"{self.marker} already exists")
                fcntl.lockf(marking, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError) as error:
                os.close(marking)
                raise JournalError(
                    f"the journal {str(self.named)!r} is being written by another run; "
                    "wait for it, or name another --journal"
                ) from error
            except BaseException:
                os.close(marking)
                raise
            if os.path.exists(self.marker) and os.path.samestat(
                os.fstat(marking), os.stat(self.marker)
            ):
                break
            os.close(marking)  # it was of a run that ended just now
        self.marking = marking
        words = os.pread(marking, 4096, 0).decode("utf-8", "replace").partition("\n")[0].split()
        if len(words) == 2 and words[1].isdecimal():
            self.suspect, self.tries = words[0], int(words[1])

    def _unlock(self) -> None:
        if self.marking >= 0:
            with contextlib.suppress(OSError):
                os.unlink(self.marker)
            with contextlib.suppress(OSError):
                os.close(self.marking)
            self.marking = -1

    def _take_up(self) -> None:
        """Read the journal that is to be resumed, and check that it is of the same run."""
        journal = read_journal(self.path)
        for key in ("engine", "spec", "version"):
            if journal.header.get(key) != self.header.get(key):
                raise JournalError(
                    f"{self.path} cannot be resumed: its {key} is {journal.header.get(key)}, "
                    f"this run's is {self.header.get(key)}; run without --resume, or name another --journal"
                )
        self._check_conditions(journal)
        if self.spec is not None:
            self._check_cases(journal, self.spec)
        self.done = {verdict.case: verdict for verdict in journal.verdicts}
        self.header = journal.header

    def _check_conditions(self, journal: Journal) -> None:
        """Reject a journal whose verdicts were made under other conditions than this run's."""
        header = journal.header
        for name in MATTERS:
            before, now = header["options"].get(name), self.header["options"].get(name)
            if before != now:
                option = f"--{name.replace('_', '-')}"
                raise JournalError(
                    f"{self.path} cannot be resumed: it was written with {_given(option, before)}, "
                    f"this run has {_given(option, now)}; give the same options, or run without --resume"
                )
        listed = any(
            verdict.verdict in ("known", "unexpected-pass") for verdict in journal.verdicts
        )
        unsaid = "a list, but not which" if listed else ""  # as earlier versions wrote it
        if header.get("known", unsaid) != self.header.get("known", ""):
            raise JournalError(
                f"{self.path} cannot be resumed: it was written with another list of known failures; "
                "give the same --known, or run without --resume"
            )

    def _check_cases(self, journal: Journal, spec: Spec) -> None:
        """Reject verdicts on cases that the specification, which has the same digest, does not have."""
        journal.score_by(spec)
        cases = {case.id for case in spec.cases}
        for verdict in journal.verdicts:
            if verdict.case not in cases:
                raise JournalError(
                    f"{self.path} cannot be resumed: the specification, whose digest is the same, has "
                    f"no case {one_line(verdict.case)[:SHOWN]!r}; run without --resume"
                )

    def start(self) -> None:
        """Begin the file, or continue the one that is resumed, unless that is done already."""
        if self.file >= 0 or self.footer:
            return
        if self.resuming:  # without its footer, and without a torn last line
            self._put_in_place()
            return
        self.created = not self.path.exists()
        try:
            writable(self.path, self.named)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW
            self._keep(os.open(self.path, flags | os.O_NONBLOCK, MODE), 0)
        except OSError as error:
            self._fail(error)
        self._add(line_of(self.header))

    # --- writing ---

    def crashed_case(self) -> str:
        """The case that was running both times when an earlier run of this journal died, or "". After
        the first time it is run again: the run may have been ended for other reasons."""
        return self.suspect if self.resuming and self.tries > 1 else ""

    def begin(self, case: str) -> None:
        """Note which case runs now, and whether it is for the second time."""
        self.start()
        tries = self.tries + 1 if case == self.suspect and self.resuming else 1
        line = f"{case} {tries}".ljust(240) + "\n"
        with contextlib.suppress(OSError):  # the journal itself reports what went wrong
            os.pwrite(self.marking, line.encode(), 0)

    def write(self, verdict: Verdict) -> None:
        """Add one verdict. A case keeps the first it got, unless a later one is worse: a case that
        does not always pass does not pass."""
        earlier = self.done.get(verdict.case)
        if earlier is not None and (earlier.verdict != "pass" or verdict.verdict == "pass"):
            return
        self.start()
        self.done[verdict.case] = verdict
        if earlier is None:
            self._add(line_of_verdict(verdict), verdict.case)
        else:
            self._put_in_place()

    def finish(
        self, collected: int, cut_short: bool = False, deselected: int = 0
    ) -> dict[str, Any]:
        """Add the footer, whose counts must add up. A second call changes nothing.

        `deselected` counts the cases that the caller chose not to run; such a run is not complete.
        For a run over the whole specification the header says how many these are.
        """
        if self.footer:
            return self.footer
        cases = self.header["spec"].get("cases")
        if cases is not None and "profile" not in self.header["options"]:
            deselected = cases - collected
        counts = Counter(verdict.verdict for verdict in self.done.values())
        footer: dict[str, Any] = {
            "gradspec": FORMAT,
            "counts": {name: counts.get(name, 0) for name in NAMES},
            "collected": collected,
            "written": len(self.done),
        }
        if cut_short or collected != len(self.done):
            footer["cut_short"] = True
        if deselected > 0:
            footer["deselected"] = deselected
        if collected or self.file >= 0:
            self.start()
            self._add(line_of(footer))
        self.footer = footer
        self.close()
        return footer

    def close(self) -> None:
        """Close the files. Safe to call twice."""
        self._close_file()
        self._unlock()

    # --- the file ---

    def _add(self, line: bytes, case: str = "") -> None:
        """Append a line: of a case, or the header or footer."""
        if self.size and not self._untouched(last=not case):
            self._put_in_place()
            if case:
                return  # it is among those that are done, and so has been put there
        try:
            write_all(self.file, line)
        except OSError as error:
            self._fail(error)
        self.size += len(line)

    def _opened(self) -> os.stat_result | None:
        """What is known of the file that this run opened; None if an engine in this process closed it."""
        try:
            found = os.fstat(self.file)
        except OSError:
            return None
        return found if (found.st_ino, found.st_dev) == self.inode else None

    def _at_path(self) -> int:
        """The size of the file at the journal's path; -1 if that is not the one that this run opened."""
        try:
            found = os.lstat(self.real)
        except OSError:
            return -1
        return found.st_size if (found.st_ino, found.st_dev) == self.inode else -1

    def _untouched(self, last: bool) -> bool:
        """Whether the file is still the one that was opened, and nobody else has written to it. Whether it
        was moved elsewhere is asked now and then, and at the end: its path takes long to follow."""
        found = self._opened()
        if found is None or found.st_size != self.size or not found.st_nlink:
            return False
        asked = last or len(self.done) % MOVED_EVERY == 0
        return not asked or self._at_path() == self.size

    def _close_file(self) -> None:
        """Close the file, unless its number belongs to another one by now."""
        if self._opened():
            os.close(self.file)
        self.file = -1

    def _keep(self, file: int, size: int) -> None:
        """Continue with a new file of this run."""
        found = os.fstat(file)
        self.file, self.size, self.inode = file, size, (found.st_ino, found.st_dev)

    def _put_in_place(self) -> None:
        """Write all that is known into a file beside the journal, and move it there."""
        content = line_of(self.header) + b"".join(map(line_of_verdict, self.done.values()))
        beside = self.path.with_name(f".{self.path.name[:40]}.{secrets.token_hex(4)}")
        try:
            if self._at_path() < 0 or not self._opened():
                writable(self.path, self.named)
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, MODE)
            try:
                write_all(file, content)
                os.replace(beside, self.path)
            except BaseException:
                os.close(file)
                os.unlink(beside)
                raise
        except OSError as error:
            self._fail(error)
        self._close_file()
        self._keep(file, len(content))

    def _fail(self, error: OSError) -> NoReturn:
        """Leave a journal of whole lines, or none if there was none, and report what went wrong."""
        if self._opened():
            with contextlib.suppress(OSError):
                os.ftruncate(self.file, self.size)
        if self.created and not self.size:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
        self.footer = {"gradspec": FORMAT, "written": len(self.done), "cut_short": True}
        self.close()
        raise JournalError(
            f"the journal {str(self.named)!r} cannot be written: {told(error)}; "
            f"the run ends after {len(self.done)} cases"
        ) from error


def write_all(file: int, content: bytes) -> None:
    """Write bytes to a descriptor, in as many steps as it takes."""
    while (written := os.write(file, content)) < len(content):
        content = content[written:]


def told(error: BaseException) -> str:
    """The operating system's message, without its number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _given(option: str, value: Any) -> str:
    """An option as a user gives it."""
    if value is None or value is False:
        return f"no {option}"
    return one_line(option if value is True else f"{option}={value}")


def writable(path: Path, named: Path, read: bool = True) -> bool:
    """Whether there is an earlier journal at `path`, to be resumed or overwritten; False if there is
    nothing, or an empty file. Raises `JournalError` if there is something else; with `read` false
    the caller checks whether a file is a journal."""
    try:
        status = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
        raise JournalError(f"--journal={named} is {what}; name a new file, or a journal")
    if not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if status.st_size == 0:
        return False
    if not read:
        return True
    with open(path, "rb") as file:
        first = file.readline(LONGEST_HEADER)
        whole = is_header(first)
        strange = [] if whole else [first]
        strange += [line for line in file if not LINE.match(line)] if whole else []
    if strange and not (whole and len(strange) == 1 and not strange[0].endswith(b"\n")):
        raise JournalError(
            f"{named} is not a journal, and is left as it is: it holds the line {strange[0][:60]!r}; "
            "name a new file, or a journal"
        )
    return True


def is_header(line: bytes) -> bool:
    """Whether a line is the header of a journal of this format."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    mine = isinstance(value, dict) and value.get("gradspec") == FORMAT
    return mine and isinstance(value.get("engine"), dict)
