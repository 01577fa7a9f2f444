"""`gradspec campaign`: install many engines, run the suite on each, and write one report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared import explained, load, say, spec_option

if TYPE_CHECKING:
    from gradspec.spec.model import Spec

    from ..campaign.campaign import Result
    from ..campaign.entries import Entry
    from ..campaign.findings import Finding
    from ..campaign.runs import Job


@click.command("campaign")
@click.argument("engines", nargs=-1, metavar="[ENGINE ...]")
@click.option("--list", "listing", is_flag=True, help="List the engines and exit.")
@click.option(
    "-d", "--directory", type=click.Path(file_okay=False, path_type=Path), default=Path("campaign"),
    show_default=True, help="Folder for environments, journals, logs and the report.",
)  # fmt: skip
@click.option("--engines", "source", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              metavar="FILE", help="Another list of engines, with its findings.yaml next to it.")  # fmt: skip
@click.option("--only-install", is_flag=True, help="Create the environments, but run nothing.")
@click.option("--again", is_flag=True, help="Run engines again that are already done.")
@click.option("-j", "--jobs", type=click.IntRange(min=1, max=256), default=1, show_default=True,
              help="Run the cases of an engine in this many processes.")  # fmt: skip
@click.option("-k", "select", metavar="TEXT", default="",
              help="Run only cases whose id contains this text, and print the failures.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="Run the engines on a Dask cluster.")
@click.option("--pages", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Write the results and the findings there: engines.md, failures.md, engines.json.")  # fmt: skip
@spec_option
def command(
    engines: tuple[str, ...],
    listing: bool,
    directory: Path,
    source: Path | None,
    only_install: bool,
    again: bool,
    jobs: int,
    select: str,
    scheduler: str | None,
    pages: Path | None,
    spec_root: Path | None,
) -> None:
    """Install engines, run the suite on each, and write one report.

    Without names, all engines of the list. Each gets its own environment, which is created again only if its entry
    changes, and runs isolated. A campaign that was killed continues where it stopped;
    an engine that is done is run again only if its entry, its adapter or the specification changed. Exit
    status 0 when each engine was installed and run, whatever its score; 1 otherwise.
    """
    from ..campaign.entries import chosen, own_list, read_entries

    source = source or own_list()
    with explained():
        entries = read_entries(source)
        wanted = chosen(entries, engines)
    if listing:
        for job in jobs_for(wanted, directory, jobs, "", None, None):
            say(line_of(job))
        return
    spec = None if only_install else load(spec_root)
    findings = findings_beside(source, entries, spec) if spec and not select else []
    todo = jobs_for(wanted, directory, jobs, select, spec, spec_root)
    results = carried_out(todo, cases_of(spec, select), scheduler, only_install, again)
    if select:
        show_logs(todo, results)
    if spec is not None and not select:
        with explained():
            report(todo, spec, directory / "report")
            write(todo, spec, entries, findings, pages)
    sys.exit(tell_failures(results))


def line_of(job: Job) -> str:
    """An engine of the list in a line, with how far this campaign is with it."""
    from ..campaign.environments import is_made
    from ..campaign.runs import read_record

    entry = job.entry
    record = read_record(job)
    state = "installed" if is_made(entry, job.environment) else ""
    state = f"run on {record.date}" if record and record.date else state
    packages = ", ".join((*entry.install, *entry.npm)) or "nothing to install"
    python = f"Python {entry.python}" if entry.python else ""
    return f"{entry.name:<14} {entry.title:<18} {state:<17} {python:<12} {packages}".rstrip()


def cases_of(spec: Spec | None, select: str) -> int:
    """How many cases each engine is run on."""
    return sum(select in case.id for case in spec.cases) if spec else 0


def jobs_for(
    entries: list[Entry], directory: Path, jobs: int, select: str, spec: Spec | None,
    spec_root: Path | None,
) -> list[Job]:  # fmt: skip
    """What to run for each engine."""
    from ..campaign.runs import Job

    digest = spec.digest if spec else ""
    root = spec_root.resolve() if spec_root else None
    folder = directory.resolve()
    return [Job(entry, folder, digest, jobs, select, root) for entry in entries]


def carried_out(
    todo: list[Job], total: int, scheduler: str | None, only_install: bool, again: bool
) -> list[Result]:
    """Run the campaign here or on a cluster."""
    from ..campaign.campaign import alone_in, one_after_the_other
    from ..campaign.cluster import on_cluster
    from ..campaign.progress import audience
    from ..running.leaving import status_of

    try:
        with explained(), alone_in(todo[0].folder), audience(total, len(todo), say) as told:
            if scheduler:
                return list(on_cluster(scheduler, todo, told, only_install, again))
            return list(one_after_the_other(todo, told, only_install, again))
    except KeyboardInterrupt as interruption:
        say("cut short; run the same command to continue", err=True)
        sys.exit(status_of(interruption))


def show_logs(todo: list[Job], results: list[Result]) -> None:
    """Print what each run printed."""
    done = {result.name for result in results if result.state in ("run", "kept")}
    for job in todo:
        if job.entry.name in done and job.run_log.exists():
            say(f"\n=== {job.entry.title}")
            say(job.run_log.read_text("utf-8", "replace"))


def report(todo: list[Job], spec: Spec, folder: Path) -> None:
    """Write the report on all engines that were run."""
    from ..campaign.runs import finished
    from ..reporting.report import write_report

    titles = {job.journal: job.entry.title for job in todo if finished(job)}
    if titles:
        say(f"report: {write_report(list(titles), folder, spec, titles=titles)[0]}")


def findings_beside(source: Path, entries: dict[str, Entry], spec: Spec) -> list[Finding]:
    """The findings that belong to a list of engines."""
    from ..campaign.findings import FILE, read_findings

    with explained():
        return read_findings(source.parent / FILE, entries, spec)


def write(
    todo: list[Job],
    spec: Spec,
    entries: dict[str, Entry],
    findings: list[Finding],
    pages: Path | None,
) -> None:
    """Check the findings against the runs, and write the pages."""
    from ..campaign.pages import read_rows, row_of, write_pages
    from ..campaign.runs import finished
    from ..running.journal import read_journal

    rows = {
        job.entry.name: row_of(job, read_journal(job.journal), spec, findings)
        for job in todo
        if finished(job)
    }
    for finding in findings:
        if gone := rows.get(finding.engine, {}).get("stale", {}).get(finding.case):
            say(f"{finding.place}: {finding.engine}: {gone} ({finding.case}); "
                "remove the finding, or name another case", err=True)  # fmt: skip
    if pages:
        for path in write_pages(pages, {**read_rows(pages), **rows}, entries, findings, spec):
            say(path)


def tell_failures(results: list[Result]) -> int:
    """Say which engines could not be installed or run, and why; the exit status."""
    from ..campaign.campaign import FAILED

    failed = [result for result in results if result.state in FAILED]
    for result in failed:
        say(f"\n{result.name} was {result.state}: {result.message}", err=True)
    return 1 if failed else 0
