"""What GitHub shows of a run: annotations beside the lines of a pull request, and a job summary."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ..judging.known import outdated
from ..judging.score import Score, score_of
from ..judging.verdict import Verdict
from ..running.runner import Session
from ..text import one_line, printable
from .causes import Cause, causes_of

MOST_ANNOTATIONS = 10
"""GitHub shows no more of one step."""
MOST_CAUSES = 20
MOST_FOLDERS = 2000
"""How many folders of a repository are searched for a file of the engine."""
NOT_SEARCHED = frozenset({"node_modules", "site-packages", "__pycache__", "build", "dist"})


def workflow_commands(
    session: Session,
    verdicts: Sequence[Verdict],
    root: Path,
    environment: Mapping[str, str] = os.environ,
) -> list[str]:
    """A workflow command for each cause of failures and each entry of the list of known failures that is
    out of date; none outside of GitHub. `root` is the folder of the user's files."""
    if environment.get("GITHUB_ACTIONS") != "true":
        return []
    root = Path(environment.get("GITHUB_WORKSPACE") or root)
    lines = []
    for verdict in verdicts:
        if verdict.verdict == "unexpected-pass" and verdict.case in session.known:
            place = session.known[verdict.case].place
            file, title = within(Path(place.file), root), f"{verdict.case} passes"
            lines.append(command("error", verdict.message, file, place.line, title))
    for entry in outdated(session.known, verdicts):
        told = "every case of this entry passes; remove it unless they fail now and then"
        place = entry.place
        lines.append(command("warning", told, within(Path(place.file), root), place.line))
    for cause in causes_of(verdicts, session.spec):
        if len(lines) >= MOST_ANNOTATIONS:
            break
        lines.append(of_cause(cause, session, root))
    return lines[:MOST_ANNOTATIONS]


def of_cause(cause: Cause, session: Session, root: Path) -> str:
    """The annotation of a cause: an error if it affects the main score, at the engine's line if that is a
    file of the repository."""
    example = cause.example
    case = next(case for case in session.spec.cases if case.id == example.case)
    file, line = found_in(root, example.where)
    told = (
        f"{case.behavior.statement}\n{example.message}\n"
        f"reproduce: gradspec repro '{example.case}' --impl={session.options.engine}"
    )
    level = "error" if cause.must else "notice"
    return command(level, told, file, line, f"{cause.title} ({cause.count()})")


def command(level: str, message: str, file: str = "", line: int = 0, title: str = "") -> str:
    """A workflow command, escaped as GitHub reads it."""
    properties = {
        "file": file,
        "line": str(line) if file and line else "",
        "title": one_line(title),
    }
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::{level}{' ' * bool(given)}{given}::{_data(printable(message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def within(path: Path, root: Path) -> str:
    """A path as seen from the repository, or nothing if it is outside."""
    with suppress(ValueError, OSError):
        return str(path.resolve().relative_to(root.resolve()))
    return ""


def found_in(root: Path, where: str) -> tuple[str, int]:
    """The file and line of `my_engine/ops.py:88` if exactly one file of the repository is meant."""
    name, _, line = where.rpartition(":")
    if not name or not line.isdecimal():
        return "", 0
    for start in ("", "src", "python"):
        if (root / start / name).is_file():
            return str(Path(start) / name), int(line)
    files = [folder / name for folder in folders(root) if (folder / name).is_file()]
    return (within(files[0], root), int(line)) if len(files) == 1 else ("", 0)


def folders(root: Path) -> Iterator[Path]:
    """The folders of a repository, without those of tools and of other packages."""
    for number, (folder, names, _) in enumerate(os.walk(root)):
        if number >= MOST_FOLDERS:
            return
        names[:] = [name for name in names if name[0] != "." and name not in NOT_SEARCHED
                    and not (Path(folder) / name / "pyvenv.cfg").exists()]  # fmt: skip
        yield Path(folder)


def write_job_summary(
    session: Session,
    verdicts: Sequence[Verdict],
    success: bool,
    environment: Mapping[str, str] = os.environ,
) -> None:
    """Add to the job's summary, where there is one. Raises `OSError` if it cannot be written."""
    if path := environment.get("GITHUB_STEP_SUMMARY"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(job_summary(session, verdicts, success))


def job_summary(session: Session, verdicts: Sequence[Verdict], success: bool) -> str:
    """A run as Markdown: the scores, and the causes of failures with the command that reproduces each."""
    identity = session.identity
    scores = score_of(verdicts)
    name = cell(f"{identity.title} on {identity.device}")
    lines = [
        f"### gradspec: {name} {'conforms' if success else 'fails'}",
        "",
        "| | passed | attempted | failed | during setup | known | unsupported | all |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
        _row("MUST, documented or implied", scores.must),
        _row("SHOULD, MAY, observed, conventions", scores.rest),
        "",
    ]
    causes = causes_of(verdicts, session.spec)
    if causes:
        lines += ["| cause | cases | reproduce |", "|---|--:|---|"]
        for cause in causes[:MOST_CAUSES]:
            repro = f"gradspec repro '{cause.example.case}' --impl={session.options.engine}"
            cases = len(cause.cases) + len(cause.follow)
            lines.append(f"| {cell(cause.title)} | {cases} | <code>{cell(repro)}</code> |")
        if len(causes) > MOST_CAUSES:
            lines += ["", f"and {len(causes) - MOST_CAUSES} more causes"]
        lines.append("")
    return "\n".join([*lines, ""])


def _row(name: str, score: Score) -> str:
    counts = (score.passed, score.attempted, score.failed, score.setup, score.counts["known"],
              score.counts["unsupported"], score.all)  # fmt: skip
    return f"| {name} | {' | '.join(map(str, counts))} |"


def cell(text: str) -> str:
    """Any text in a cell of a table, as text."""
    shown = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace("\\", "\\\\")
    for character in "|`*_[]~":
        shown = shown.replace(character, f"&#{ord(character)};")
    return shown.replace("\\\\", "&#92;")
