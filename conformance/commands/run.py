"""`gradspec run`: run the suite against an engine, without pytest."""

from __future__ import annotations

import faulthandler
import gc
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..running.leaving import status_of
from .shared import engine_options, explained, fail, misuse, say, spec_option

if TYPE_CHECKING:
    from gradspec.spec.model import Case

    from ..judging.verdict import Verdict
    from ..running.parallel import Sources
    from ..running.run import Outcome, Run
    from ..running.runner import Session


@click.command("run")
@engine_options
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    help="File to write the results to (default: results/NAME.jsonl).",
)
@click.option("--resume", is_flag=True, help="Continue a run that was cut short, from its journal.")
@click.option(
    "--report",
    "report_folder",
    type=click.Path(path_type=Path),
    help="Folder to write the report to.",
)
@click.option(
    "--known", type=click.Path(exists=True, path_type=Path), help="File that lists known failures."
)
@click.option("-k", "select", metavar="TEXT", help="Run only cases whose id contains this text.")
@click.option(
    "--failures",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many causes of failures to show in full.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1, max=256),
    default=1,
    show_default=True,
    help="Run the cases in this many processes.",
)
@spec_option
def command(
    journal: Path | None,
    resume: bool,
    report_folder: Path | None,
    known: Path | None,
    select: str | None,
    failures: int,
    jobs: int,
    spec_root: Path | None,
    **options: Any,
) -> None:
    """Run the suite against an engine.

    Writes a journal during the run, and prints the score. Exit status 0 when every MUST that was attempted
    passed or is a known failure, 1 otherwise, 2 for a usage error, 130 when interrupted, 143 when
    ended by SIGTERM.
    """
    from ..reporting.summary import words_of_its_own
    from ..running.journal import JournalError, header_of, journal_path
    from ..running.journal_writer import JournalWriter
    from ..running.parallel import Sources
    from ..running.run import Run
    from ..running.runner import Options, open_session
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
        header = header_of(identity, session.spec, session.options.shown(), session.known)
        with explained():
            writer = JournalWriter(here / path, header, resume, session.spec)
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
            sources = Sources(spec_root and spec_root.resolve(), known and known.resolve())
            outcome = run_cases(Run(session, writer, cases), jobs, sources)
        except JournalError as error:
            fail(str(error))
        finally:
            writer.close()
        tell(outcome, failures, writer.path)
    if report_folder:
        from ..reporting.report import write_report

        with explained():
            for made in write_report([writer.path], here / report_folder, session.spec):
                say(f"report:  {made}")
    sys.exit(0 if outcome.success else 1)


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


def run_cases(run: Run, jobs: int, sources: Sources) -> Outcome:
    """Run the cases that are not in the journal yet, and finish the journal. An interruption also
    finishes it, and exits with the corresponding status."""
    from gradspec.adapters.framework.engine import EngineUnavailable

    from ..judging.verdict import FAILED

    session, writer = run.session, run.writer
    gc.collect()
    gc.freeze()
    try:
        with progress(len(run.cases)) as advance:
            left = run.left()
            advance(len(run.cases) - len(left))
            for verdict in verdicts_on(left, run, jobs, sources):
                writer.write(verdict)
                advance(1, failed=verdict.verdict in FAILED)
    except KeyboardInterrupt as interruption:
        run.finish(cut_short=True)
        session.close()
        say(
            f"cut short after {len(run.verdicts)} of {len(run.cases)} cases; "
            f"continue with --resume --journal={writer.named}",
            err=True,
        )
        sys.exit(status_of(interruption))
    except SystemExit as error:  # however the engine's exit got here
        run.finish(cut_short=True)
        fail(f"the engine ended the run (SystemExit: {error.code}); run it with --isolate")
    except EngineUnavailable as error:  # of a process of -j
        if writer.done:
            run.finish(cut_short=True)
        fail(str(error))
    return run.finish()


def verdicts_on(cases: list[Case], run: Run, jobs: int, sources: Sources) -> Iterator[Verdict]:
    """The verdicts on these cases: one after the other in this process, or from several as they come."""
    from ..running.parallel import verdicts_in_parallel

    if jobs > 1:
        yield from verdicts_in_parallel(cases, run.session, sources, min(jobs, len(cases)))
        return
    for case in cases:
        run.writer.begin(case.id)
        yield run.session.run_case(case)


def tell(outcome: Outcome, failures: int, path: Path) -> None:
    """Print the summary of a run."""
    from gradspec.spec.problems import shown_path

    from ..reporting.summary import chapter_bars, fix_first, seems_to_work, summary_lines
    from ..running.runner import undeclared_but_working

    session, verdicts = outcome.session, outcome.verdicts
    shown = shown_path(str(path))
    for line in fix_first(verdicts, session.spec, session.options.engine, failures, shown):
        say(line)
    for line in chapter_bars(verdicts, session.spec):
        say(line)
    for line in summary_lines(session, verdicts, outcome.declared_but_broken):
        say(line)
    for line in seems_to_work(undeclared_but_working(session)):  # last: it may crash the engine
        say(line)
    say(f"journal: {shown}")


def progress(total: int) -> Any:
    """A progress bar on a terminal, with the failures so far and the time left; nothing elsewhere."""
    from contextlib import contextmanager

    @contextmanager
    def bar() -> Any:
        if not sys.stderr.isatty():
            yield lambda steps=1, failed=False: None
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]} failed"),
            TimeRemainingColumn(elapsed_when_finished=True),
        )
        with Progress(*columns, console=Console(stderr=True)) as shown:
            task = shown.add_task("cases", total=total, failed=0)
            failures = 0

            def advance(steps: int = 1, failed: bool = False) -> None:
                nonlocal failures
                failures += failed
                shown.update(task, advance=steps, failed=failures)

            yield advance

    return bar()
