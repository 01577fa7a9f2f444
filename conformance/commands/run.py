"""`gradspec run`: run the suite against an engine, without pytest."""

from __future__ import annotations

import faulthandler
import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..files import write_together
from ..running.leaving import status_of
from ..running.progress import progress
from .shared import engine_options, explained, fail, misuse, say, spec_option, tell_of_first_time

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
@click.option(
    "-k",
    "select",
    metavar="EXPRESSION",
    multiple=True,
    help="Run only the cases whose id matches, such as 'hooks and not threads'; given several times, "
    "those that match any.",
)
@click.option("--only-failed", is_flag=True, help="Run only the cases that failed in the last run.")
@click.option(
    "--failed-first", is_flag=True, help="Begin with the cases that failed in the last run."
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    metavar="N",
    help="Run each case N times; one whose verdict changes is flaky, and fails the run.",
)
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="PATH", help="Also write a JUnit file."
)
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
    select: tuple[str, ...],
    only_failed: bool,
    failed_first: bool,
    repeat: int | None,
    junit: Path | None,
    failures: int,
    jobs: int,
    spec_root: Path | None,
    **options: Any,
) -> None:
    """Run the suite against an engine.

    Writes a journal during the run, and prints the score. Exit status 0 when every MUST that was attempted
    passed or is a known failure, 1 otherwise, 2 for a usage error, 130 when interrupted, 143 when
    ended by SIGTERM. On GitHub, failures are annotated and a job summary is written.
    """
    from ..reporting.summary import words_of_its_own
    from ..running.journal import JournalError, header_of, journal_path, part_of
    from ..running.journal_writer import JournalWriter
    from ..running.parallel import Sources
    from ..running.run import Run
    from ..running.runner import Options, open_session
    from ..running.selection import failed_before
    from ..running.selection import failed_first as failed_first_of
    from ..text import one_line

    here = Path.cwd()  # which an engine may leave while it is imported
    tell_of_first_time(spec_root)
    with explained():
        session = open_session(
            Options(**options, repeat=repeat), spec_root.resolve() if spec_root else None, known
        )
    with closing(session):
        identity = session.identity
        whole = here / (journal or journal_path(identity))
        part = part_of(whole)
        path = part if not journal and (select or options["profile"]) else whole
        cases = chosen(session, select)
        if only_failed or failed_first:
            with explained():
                failed = failed_before(whole, part)
            if only_failed:
                cases, path = [case for case in cases if case.id in failed], part
            cases = failed_first_of(cases, failed)
        if not cases:
            say("no case failed in the last run; nothing to run")
            return
        header = header_of(identity, session.spec, session.options.shown(), session.known)
        with explained():
            writer = JournalWriter(path, header, resume, session.spec)
        say(
            one_line(
                f"{identity.title} ({identity.language}) on {identity.device}: {len(cases)} cases"
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
        tell_services(outcome, here, junit)
    if report_folder:
        from ..reporting.report import write_report

        with explained():
            for made in write_report([writer.path], here / report_folder, session.spec):
                say(f"report:  {made}")
    sys.exit(0 if outcome.success else 1)


def chosen(session: Session, select: Sequence[str]) -> list[Case]:
    """The cases that match any of the expressions; it is a usage error if there are none."""
    from gradspec.spec.problems import nearest

    from ..running.selection import selected

    cases = selected(session.cases(), select)
    if not cases:
        names = [chapter.name for chapter in session.spec.chapters]
        names += [behavior.id for behavior in session.spec.behaviors]
        text = " or ".join(select)
        hint = nearest(text, names) or "see `gradspec list cases`"
        misuse(f"no case's id contains {text!r}; {hint}")
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
    from ..running.repeating import repeated

    if jobs > 1:
        yield from verdicts_in_parallel(cases, run.session, sources, min(jobs, len(cases)))
        return

    def run_case(case: Case) -> Verdict:
        run.writer.begin(case.id)
        return run.session.run_case(case)

    yield from repeated(cases, run_case, run.session.options.repeat or 1)


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


def tell_services(outcome: Outcome, here: Path, junit: Path | None) -> None:
    """Write what services show: a JUnit file if it is wanted, and on GitHub annotations and a summary."""
    from ..reporting.github import workflow_commands, write_job_summary
    from ..reporting.junit import junit_of

    for line in workflow_commands(outcome.session, outcome.verdicts, here):
        say(line)
    with explained():
        write_job_summary(outcome.session, outcome.verdicts, outcome.success)
        if junit:
            write_together({here / junit: junit_of(outcome.session, outcome.verdicts)})
            say(f"junit:   {junit}")
