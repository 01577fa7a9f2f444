"""`gradspec check`: hold the specification itself to account."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from typing import Any

import click

from .shared import explained, load, spec_option


@click.command("check")
@click.option("--oracle", metavar="ENGINE", help="Run each case on this engine and report where spec and engine differ.")
@click.option("--adequacy", is_flag=True, help="Hold a bank of faulty engines against the suite: is each fault noticed?")
@click.option("-k", "select", metavar="TEXT", help="With --adequacy: only faults whose id or behaviors contain this text.")
@click.option("-j", "--jobs", type=int, default=os.cpu_count() or 1, show_default=True, help="With --adequacy: processes.")
@spec_option
def command(
    oracle: str | None, adequacy: bool, select: str | None, jobs: int, spec_root: Path | None
) -> None:
    """Hold the specification itself to account.

    Checks schemas, ids, sources, vocabulary and kinds, dead statements, cases that expect nothing
    or that an engine passes which computes nothing, refusals without a refusing case, duplicates.
    Exit status 0 when nothing is found, 1 otherwise.
    """
    from gradspec.spec.check import check_spec
    from gradspec.spec.load import ROOT

    from ..baseline_check import cases_that_prove_little

    spec = load(spec_root)
    problems = check_spec(spec, spec_root.resolve() if spec_root else ROOT)
    problems += cases_that_prove_little(spec)
    if spec_root is None:
        problems += divergence_problems(spec)
    for problem in problems:
        click.echo(problem)
    behaviors, cases = len(spec.behaviors), len(spec.cases)
    click.echo(f"{behaviors} behaviors, {cases} cases, {len(problems)} problems", err=True)
    differing = against_oracle(oracle, spec) if oracle else 0
    adequate = bank_is_noticed(spec, select, jobs) if adequacy else True
    sys.exit(1 if problems or differing or not adequate else 0)


def divergence_problems(spec: object) -> list[object]:
    """Faults in the lists of known divergences that come with the adapters."""
    from gradspec.spec.problems import SpecError

    from ..known import known_file, read_known

    problems: list[object] = []
    for path in sorted(known_file("x").parent.glob("*.yaml")):
        try:
            read_known(path, spec)  # type: ignore[arg-type]
        except SpecError as error:
            problems += error.problems
    return problems


def against_oracle(oracle: str, spec: object) -> int:
    """Run every case on the oracle; how many differ."""
    from ..messages import explain
    from ..runner import Options, open_session
    from .run import progress

    with explained():
        session = open_session(Options(oracle))
    differing = unsupported = 0
    cases = session.cases()
    with progress(len(cases)) as advance:
        for case in cases:
            advance()
            verdict = session.run_case(case)
            if verdict.verdict == "unsupported":
                unsupported += 1
            elif verdict.verdict not in ("pass", "known"):
                differing += 1
                click.echo(f"\n--- {case.id}: the specification and {oracle} differ\n{explain(case, verdict, oracle)}")
    session.close()
    identity = session.identity
    click.echo(f"{identity.name} {identity.version}: {len(cases)} cases, {differing} differ, {unsupported} unsupported", err=True)
    return differing


def bank_is_noticed(spec: Any, select: str | None, jobs: int) -> bool:
    """Run the bank of faulty engines; whether every fault is noticed where it should be."""
    from ..adequacy.bank import run_bank
    from ..adequacy.fault import read_faults
    from ..adequacy.findings import findings_of
    from ..runner import Options, open_session
    from .run import progress

    with explained():
        faults = read_faults(spec)
        session = open_session(Options("reference"))
    if select:
        faults = [fault for fault in faults if select in fault.id or any(select in name for name in fault.breaks)]
    healthy = frozenset(case.id for case in spec.cases if session.run_case(case).verdict == "pass")
    session.close()
    store = Path("results") / ("adequacy.jsonl" if not select else "adequacy-part.jsonl")
    with progress(len(faults)) as advance:
        outcomes = run_bank(faults, spec, store, jobs, lambda outcome: advance())
    found = findings_of(faults, outcomes, spec, healthy)
    for title, lines in (("cannot be tried", found.broken), ("noticed by no case", found.unnoticed),
                         ("noticed elsewhere only", found.elsewhere)):  # fmt: skip
        for line in lines:
            click.echo(f"{title}: {line}")
    if not select:
        for line in found.blind:
            click.echo(f"never noticed a fault: {line}")
    noticed = found.faults - len(found.unnoticed) - len(found.broken)
    click.echo(f"{found.faults} faulty engines, {noticed} noticed, {noticed - len(found.elsewhere)} of them by the behavior "
               f"that they break; {len(spec.behaviors) - len(found.blind)} of {len(spec.behaviors)} behaviors "
               f"noticed one", err=True)  # fmt: skip
    return found.adequate
