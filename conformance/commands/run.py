"""`gradspec run`: hold an engine against the specification, without pytest."""

from __future__ import annotations

import faulthandler
import gc
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..running.leaving import status_of
from .shared import engine_options, explained, fail, misuse, say, spec_option

if TYPE_CHECKING:
    from gradspec.spec.model import Case

    from ..judging.verdict import Verdict
    from ..running.journal_writer import JournalWriter
    from ..running.runner import Session


@click.command("run")
@engine_options
@click.option(
    "--journal", type=click.Path(path_type=Path), help="Where the results go (results/NAME.jsonl)."
)
@click.option("--resume", is_flag=True, help="Take up the journal of a run that was cut short.")
@click.option(
    "--report", "report_folder", type=click.Path(path_type=Path), help="Write the report there."
)
@click.option(
    "--known", type=click.Path(exists=True, path_type=Path), help="List of known divergences."
)
@click.option("-k", "select", metavar="TEXT", help="Only cases whose id contains this text.")
@click.option(
    "--failures",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many causes of failures to tell at length.",
)
@spec_option
def command(
    journal: Path | None,
    resume: bool,
    report_folder: Path | None,
    known: Path | None,
    select: str | None,
    failures: int,
    spec_root: Path | None,
    **options: Any,
) -> None:
    """Hold an engine against the specification.

    Writes a journal as it goes; prints the score. Exit status 0 when every MUST that was attempted
    passed or is a listed divergence, 1 otherwise, 2 for a misuse, 130 when interrupted, 143 when
    ended by SIGTERM.
    """
    from ..judging.score import score_of
    from ..reporting.summary import words_of_its_own
    from ..running.journal import JournalError, check_cases, header_of, journal_path
    from ..running.journal_writer import JournalWriter
    from ..running.runner import Options, declared_but_broken, open_session
    from ..text import one_line

    here = Path.cwd()  # which an engine may leave while it is imported
    with explained():
        session = open_session(
            Options(**options), spec_root.resolve() if spec_root else None, known
        )
    with closing(session):
        cases = chosen(session, select)
        identity = session.identity
        path = journal or journal_path(identity, part=bool(select or options["profile"]))
        header = header_of(identity, session.spec, session.options.shown())
        with explained():
            writer = JournalWriter(here / path, header, resume)
            check_cases(writer, (case.id for case in session.spec.cases))
        say(
            one_line(
                f"{identity.name} {identity.version} ({identity.language}) on {identity.device}: "
                f"{len(cases)} cases"
            )
        )
        for line in words_of_its_own(session):
            say(line, err=True)
        dump_tracebacks()
        try:
            verdicts, footer = run_cases(session, cases, writer)
        except JournalError as error:
            fail(str(error))
        finally:
            writer.close()
        too_much = declared_but_broken(session, verdicts)
        tell(session, verdicts, too_much, failures, writer.path)
    if report_folder:
        from ..reporting.report import write_report

        with explained():
            for made in write_report([writer.path], here / report_folder, session.spec):
                say(f"report:  {made}")
    success = score_of(verdicts).conforms and not too_much and not footer.get("cut_short")
    sys.exit(0 if success else 1)


def chosen(session: Session, select: str | None) -> list[Case]:
    """The cases whose id contains a text; it is a usage error if there are none."""
    from gradspec.spec.problems import nearest

    cases = [case for case in session.cases() if not select or select in case.id]
    if not cases:
        names = [chapter.name for chapter in session.spec.chapters]
        names += [behavior.id for behavior in session.spec.behaviors]
        hint = nearest(str(select), names) or "see `gradspec list cases`"
        misuse(f"no case's id contains {select!r}; {hint}")
    return cases


def dump_tracebacks() -> None:
    """Have Python say where it was if an engine takes this process down with it."""
    if sys.__stderr__ is not None:
        with suppress(OSError, ValueError):  # it may be closed, or no file
            faulthandler.enable(sys.__stderr__)


def run_cases(
    session: Session, cases: list[Case], writer: JournalWriter
) -> tuple[list[Verdict], dict[str, Any]]:
    """Run what is not in the journal yet; the verdicts on these cases, and the journal's footer. An
    interruption ends the journal properly, and the process with the status that belongs to it."""
    wanted = {case.id for case in cases}
    expected = len(wanted | writer.done.keys())
    left_out = len({case.id for case in session.cases()} - wanted - writer.done.keys())
    crashed = writer.crashed_case() if session.in_this_process else ""
    gc.collect()
    gc.freeze()
    try:
        with progress(len(cases)) as advance:
            for case in cases:
                advance()
                if case.id in writer.done:
                    continue
                if case.id == crashed:
                    writer.write(session.crashed(case))
                    continue
                writer.begin(case.id)
                writer.write(session.run_case(case))
    except KeyboardInterrupt as interruption:
        writer.finish(expected, cut_short=True, deselected=left_out)
        session.close()
        say(
            f"cut short after {len(writer.done)} of {expected} cases; "
            f"go on with --resume --journal={writer.named}",
            err=True,
        )
        sys.exit(status_of(interruption))
    except SystemExit as error:  # by whatever way an engine's exit came so far
        writer.finish(expected, cut_short=True, deselected=left_out)
        fail(f"the engine ended the run (SystemExit: {error.code}); see --isolate")
    footer = writer.finish(expected, deselected=left_out)
    return [verdict for verdict in writer.done.values() if verdict.case in wanted], footer


def tell(
    session: Session, verdicts: list[Verdict], too_much: list[str], failures: int, path: Path
) -> None:
    """Print what a run comes to."""
    from gradspec.spec.problems import shown_path

    from ..reporting.summary import fix_first, seems_to_work, summary_lines
    from ..running.runner import undeclared_but_working

    shown = shown_path(str(path))
    for line in fix_first(verdicts, session.spec, session.options.impl, failures, shown):
        say(line)
    for line in summary_lines(session, verdicts, too_much):
        say(line)
    for line in seems_to_work(undeclared_but_working(session)):  # last: it may crash the engine
        say(line)
    say(f"journal: {shown}")


def progress(total: int) -> Any:
    """A progress bar on a terminal, nothing elsewhere."""
    from contextlib import contextmanager

    @contextmanager
    def bar() -> Any:
        if not sys.stderr.isatty():
            yield lambda: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

        with Progress(
            BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=Console(stderr=True)
        ) as shown:
            task = shown.add_task("cases", total=total)
            yield lambda: shown.advance(task)

    return bar()
