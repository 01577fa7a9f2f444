"""`gradspec run`: hold an engine against the specification, without pytest."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import click

from .shared import engine_options, explained, misuse, spec_option


@click.command("run")
@engine_options
@click.option("--journal", type=click.Path(path_type=Path), help="Where the results go (results/NAME.jsonl).")
@click.option("--resume", is_flag=True, help="Take up the journal of a run that was cut short.")
@click.option("--report", "report_folder", type=click.Path(path_type=Path), help="Write the report there.")
@click.option("--known", type=click.Path(exists=True, path_type=Path), help="List of known divergences.")
@click.option("-k", "select", metavar="TEXT", help="Only cases whose id contains this text.")
@click.option("--failures", default=5, show_default=True, help="How many failures to tell at length.")
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
    passed or is a listed divergence, 1 otherwise, 2 for a misuse.
    """
    from ..journal import JournalWriter, header_of
    from ..messages import explain
    from ..runner import Options, crash_verdict, declared_but_broken, open_session, undeclared_but_working
    from ..score import score_of
    from ..summary import summary_lines
    from ..verdict import DEPARTS

    with explained():
        session = open_session(Options(**options), spec_root.resolve() if spec_root else None, known)
        cases = [case for case in session.cases() if not select or select in case.id]
        if not cases:
            misuse(f"no case's id contains {select!r}; see `gradspec list cases`")
        identity = session.identity
        path = journal or Path("results") / f"{identity.name.replace(':', '_').replace('/', '_')}.jsonl"
        writer = JournalWriter(path, header_of(identity, session.spec, session.options.shown()), resume)
    crashed = writer.crashed_case() if resume else ""
    for case in cases:
        if case.id == crashed and crashed not in writer.done:
            writer.write(crash_verdict(case))
    click.echo(f"{identity.name} {identity.version} ({identity.language}) on {identity.device}: {len(cases)} cases")
    told = 0
    gc.collect()
    gc.freeze()
    with progress(len(cases)) as advance:
        for case in cases:
            advance()
            if case.id in writer.done:
                continue
            writer.begin(case.id)
            verdict = session.run_case(case)
            writer.write(verdict)
            if verdict.verdict in (*DEPARTS, "fixed") and verdict.must:
                told += 1
                if told <= failures:
                    click.echo(f"\n--- {case.id}: {verdict.verdict}\n{explain(case, verdict, session.options.impl)}\n")
    wanted = {case.id for case in cases}
    verdicts = [verdict for verdict in writer.done.values() if verdict.case in wanted]
    footer = writer.finish(len(cases))
    too_much = [] if select else declared_but_broken(session, verdicts)
    for line in summary_lines(session, verdicts, too_much, undeclared_but_working(session)):
        click.echo(line)
    click.echo(f"journal: {path}")
    session.close()
    if report_folder:
        from ..report import write_report

        for made in write_report([path], report_folder, session.spec):
            click.echo(f"report:  {made}")
    good = score_of(verdicts).conforms and not too_much and not footer.get("cut_short")
    sys.exit(0 if good else 1)


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

        with Progress(BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=Console(stderr=True)) as shown:
            task = shown.add_task("cases", total=total)
            yield lambda: shown.advance(task)

    return bar()
