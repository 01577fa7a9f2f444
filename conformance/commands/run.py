"""`gradspec run`: hold an engine against the specification, without pytest."""

from __future__ import annotations

import faulthandler
import gc
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import click

from .shared import engine_options, explained, misuse, spec_option

INTERRUPTED = 130


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
    passed or is a listed divergence, 1 otherwise, 2 for a misuse, 130 when interrupted.
    """
    from gradspec.spec.problems import nearest, shown_path

    from ..journal import JournalWriter, header_of, journal_path
    from ..runner import (
        Options,
        declared_but_broken,
        no_silent_exit,
        open_session,
        undeclared_but_working,
    )
    from ..score import score_of
    from ..summary import fix_first, seems_to_work, summary_lines, words_of_its_own

    with explained():
        session = open_session(
            Options(**options), spec_root.resolve() if spec_root else None, known
        )
        cases = [case for case in session.cases() if not select or select in case.id]
        if not cases:
            names = [chapter.name for chapter in session.spec.chapters]
            names += [behavior.id for behavior in session.spec.behaviors]
            hint = nearest(str(select), names) or "see `gradspec list cases`"
            misuse(f"no case's id contains {select!r}; {hint}")
        identity = session.identity
        path = (journal or journal_path(identity, bool(select or options["profile"]))).absolute()
        report_folder = report_folder and report_folder.absolute()
        writer = JournalWriter(
            path, header_of(identity, session.spec, session.options.shown()), resume
        )
    if sys.__stderr__ is not None:
        with suppress(OSError, ValueError):  # it may be closed, or no file
            faulthandler.enable(sys.__stderr__)  # an engine may take this process down with it
    crashed = writer.crashed_case() if resume else ""
    for case in cases:
        if case.id == crashed and crashed not in writer.done:
            writer.write(session.crashed(case))
    click.echo(
        f"{identity.name} {identity.version} ({identity.language}) on {identity.device}: {len(cases)} cases"
    )
    for line in words_of_its_own(session):
        click.echo(line, err=True)
    gc.collect()
    gc.freeze()
    wanted = {case.id for case in cases}
    expected = len(wanted | writer.done.keys())
    left_out = len(session.cases()) - len(cases)
    try:
        with no_silent_exit(), progress(len(cases)) as advance:
            for case in cases:
                advance()
                if case.id in writer.done:
                    continue
                writer.begin(case.id)
                writer.write(session.run_case(case))
    except KeyboardInterrupt:
        writer.finish(expected, cut_short=True, deselected=left_out)
        session.close()
        click.echo(
            f"cut short after {len(writer.done)} of {expected} cases; go on with --resume --journal={path}",
            err=True,
        )
        leave(INTERRUPTED)
    verdicts = [verdict for verdict in writer.done.values() if verdict.case in wanted]
    footer = writer.finish(expected, deselected=left_out)
    shown = shown_path(str(path))
    for line in fix_first(verdicts, session.spec, session.options.impl, failures, shown):
        click.echo(line)
    too_much = [] if select else declared_but_broken(session, verdicts)
    for line in summary_lines(session, verdicts, too_much):
        click.echo(line)
    for line in seems_to_work(undeclared_but_working(session)):  # last: it may crash the engine
        click.echo(line)
    click.echo(f"journal: {shown}")
    session.close()
    if report_folder:
        from ..report import write_report

        for made in write_report([path], report_folder, session.spec):
            click.echo(f"report:  {made}")
    good = score_of(verdicts).conforms and not too_much and not footer.get("cut_short")
    leave(0 if good else 1)


def leave(status: int) -> NoReturn:
    """Exit, though the engine may have left threads behind that never end."""
    if any(
        not thread.daemon
        for thread in threading.enumerate()
        if thread is not threading.main_thread()
    ):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


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
