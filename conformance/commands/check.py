"""`gradspec check`: hold the specification itself to account."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .shared import explained, load, spec_option


@click.command("check")
@click.option("--oracle", metavar="ENGINE", help="Run each case on this engine and report where spec and engine differ.")
@spec_option
def command(oracle: str | None, spec_root: Path | None) -> None:
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
    sys.exit(1 if problems or differing else 0)


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
