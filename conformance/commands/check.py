"""`gradspec check`: check the specification itself."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared import explained, load, misuse, say, spec_option, trust_option

if TYPE_CHECKING:
    from gradspec.spec.checking.ledger import Documentation, Ledger, PageKind
    from gradspec.spec.model import Spec
    from gradspec.spec.problems import Problem

    from ..checking.adequacy.bank import Entry


@click.command("check")
@click.option(
    "--oracle",
    metavar="ENGINE",
    help="Run each case on this engine, and report where it differs from the specification.",
)
@click.option(
    "--adequacy",
    is_flag=False,
    flag_value="reference",
    type=click.Choice(["reference", "torch"]),
    help="Run faulty engines, the reference or PyTorch each broken in one place, and report faults "
    "that no case detects.",
)
@click.option(
    "--reach",
    is_flag=False,
    flag_value="files",
    type=click.Choice(["files", "all"]),
    help="Run the suite on the reference under coverage, and report code that no case reaches, and "
    "what of it has no reason in unreached.yaml; --reach=all shows the lines.",
)
@click.option(
    "-k",
    "select",
    metavar="TEXT",
    help="With --adequacy: only faults whose id or behaviors contain this text. With --reach: only "
    "cases whose id does. Skips all other checks.",
)
@click.option(
    "--thorough",
    is_flag=True,
    help="With --adequacy: run every case on every faulty engine, instead of stopping at the first failure.",
)
@click.option(
    "-j",
    "--jobs",
    type=int,
    default=os.cpu_count() or 1,
    show_default=True,
    help="With --adequacy: number of processes.",
)
@click.option("--ledger", "shows_pages", is_flag=True,
              help="Print how many clauses of each page of PyTorch's documentation the ledger covers.")  # fmt: skip
@click.option("--docs", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
              help="A checkout of PyTorch: compare the ledger with its documentation files.")  # fmt: skip
@trust_option
@spec_option
def command(
    oracle: str | None,
    adequacy: str | None,
    reach: str | None,
    select: str | None,
    thorough: bool,
    jobs: int,
    shows_pages: bool,
    docs: Path | None,
    trust_words: bool,
    spec_root: Path | None,
) -> None:
    """Check the specification itself.

    Checks schemas, ids, sources, vocabulary, kinds and formulas, and looks for dead statements,
    duplicates, required errors without a `raises` block, and cases that pass on an engine that
    computes nothing. With --oracle=torch or --docs, also compares the clause ledger with PyTorch's
    documentation itself.
    Exit status 0 when nothing is found, 1 otherwise.
    """
    from gradspec.adapters.framework.registry import adapter_target
    from gradspec.spec.checking.check import check_spec
    from gradspec.spec.checking.ledger import documented_without_a_clause, read_ledger
    from gradspec.spec.problems import SpecError
    from gradspec.spec.reading.folder import ROOT
    from gradspec.spec.reading.forms import collector_paused

    from ..checking.baseline_check import cases_that_prove_little
    from ..checking.documentation import Docstrings, Sources

    if thorough and not adequacy:
        misuse("--thorough needs --adequacy")
    if select and not (adequacy or reach):
        misuse("-k needs --adequacy or --reach")
    if oracle:
        with explained():
            adapter_target(oracle)
    spec = load(spec_root)
    root = spec_root.resolve() if spec_root else ROOT
    faults = chosen_faults(spec, root, select, adequacy) if adequacy else []
    if select:
        if reach:
            print_reach(spec, root, select, reach, trust_words)
        noticed = not adequacy or bank_is_noticed(
            spec, root, adequacy, faults, select, jobs, thorough
        )
        sys.exit(0 if noticed else 1)
    with collector_paused():
        problems = check_spec(spec, root)
        try:
            ledger = read_ledger(root, spec)
            if ledger:
                problems += documented_without_a_clause(spec, ledger)
        except SpecError as error:
            ledger = None
            problems += error.problems
        problems += cases_that_prove_little(spec, root)
        if spec_root is None:
            problems += divergence_problems(spec)
    if ledger:  # first, so that problems are last on the screen
        say(coverage(ledger) if shows_pages else total(ledger), err=True)
    for problem in problems:
        say(problem)
    behaviors, cases = len(spec.behaviors), len(spec.cases)
    many = f"{len(problems)} problem{'s' * (len(problems) != 1)}"
    say(f"{behaviors} behaviors, {cases} cases, {many}", err=True)
    unlike = 0
    if ledger:
        if oracle == "torch":
            with explained():
                unlike += against_documentation(ledger, Docstrings(), "docstring")
        if docs:
            pages = [page.where for page in ledger.pages if page.kind == "file"]
            if pages and not any((docs / page).is_file() for page in pages):
                misuse(f"{docs} is not a checkout of PyTorch: it has no {pages[0]}")
            unlike += against_documentation(ledger, Sources(docs), "file")
    differing = against_oracle(oracle, root, trust_words) if oracle else 0
    reached = not reach or print_reach(spec, root, "", reach, trust_words)
    adequate = not adequacy or bank_is_noticed(spec, root, adequacy, faults, "", jobs, thorough)
    sys.exit(1 if problems or unlike or differing or not reached or not adequate else 0)


def coverage(ledger: Ledger) -> str:
    """How many clauses of each page behaviors cover, as a table."""
    width = max([len(page.name) for page in ledger.pages], default=0)
    rows = [f"{'documentation of PyTorch ' + ledger.version:{width}}  clauses  covered  waived"]
    for page in ledger.pages:
        rows.append(
            f"{page.name:{width}}  {len(page.clauses):7}  {page.covered:7}  {page.waived:6}"
        )
    return "\n".join([*rows, total(ledger)])


def total(ledger: Ledger) -> str:
    """How many clauses of all pages behaviors cover."""
    covered = sum(page.covered for page in ledger.pages)
    waived = sum(page.waived for page in ledger.pages)
    clauses = f"{covered + waived} clause{'s' * (covered + waived != 1)}"
    pages = f"{len(ledger.pages)} page{'s' * (len(ledger.pages) != 1)}"
    return (
        f"{clauses} of PyTorch {ledger.version}'s documentation on {pages}: "
        f"{covered} covered by {len(ledger.resting)} behaviors, {waived} waived"
    )


def against_documentation(ledger: Ledger, documentation: Documentation, kind: PageKind) -> int:
    """Compare the ledger's pages of one kind with the documentation; how many clauses differ.

    Differences from another version of PyTorch than the ledger's are shown, but not counted.
    """
    from gradspec.spec.checking.ledger import differences

    found = list(differences(ledger, documentation, kind))
    other = documentation.version and not ledger.documents(documentation.version)
    if other:
        say(f"the ledger is for PyTorch {ledger.version}, but {documentation.version} is installed: "
                   f"differences are shown for information only", err=True)  # fmt: skip
    for difference in found:
        say(f"{'information: ' if other else ''}{difference.problem}")
    pages = sum(1 for page in ledger.pages if page.kind == kind)
    say(
        f"{pages} pages ({kind}s) compared with the documentation, {len(found)} differences",
        err=True,
    )
    return 0 if other else len(found)


def divergence_problems(spec: Spec) -> list[Problem]:
    """Faults in the lists of known divergences that come with the adapters."""
    from gradspec.spec.checking.kept import Kept
    from gradspec.spec.problems import SpecError
    from gradspec.spec.reading.folder import ROOT

    from .. import judging
    from ..judging.known import known_file, read_known

    def find(path: Path) -> list[Problem]:
        try:
            read_known(path, spec)
        except SpecError as error:
            return error.problems
        return []

    kept = Kept(ROOT, Path(judging.__file__).parent)
    names = "\n".join([*(case.id for case in spec.cases), *(item.id for item in spec.behaviors)])
    problems: list[Problem] = []
    for path in sorted(known_file("x").parent.glob("*.yaml")):
        of: list[str | bytes] = [str(path), path.read_bytes(), names]
        problems += kept.problems(f"known.{path.stem}", of, partial(find, path))
    return problems


def against_oracle(oracle: str, root: Path, trust_words: bool) -> int:
    """Run every case of the folder on the oracle; how many differ."""
    from ..reporting.messages import explain
    from ..running.progress import progress
    from ..running.runner import Options, open_session

    with explained():
        session = open_session(Options(oracle, trust_words=trust_words), root)
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
                say(
                    f"\n--- {case.id}: the specification and {oracle} differ\n{explain(case, verdict, oracle)}"
                )
    session.close()
    identity = session.identity
    say(
        f"{identity.title}: {len(cases)} cases, {differing} differ, {unsupported} unsupported",
        err=True,
    )
    return differing


def print_reach(spec: Spec, root: Path, select: str, reach: str, trust_words: bool) -> bool:
    """Print which statements of the reference no case reaches; whether there is a reason for each, if
    all of our own cases ran. A usage error if no case is chosen or coverage.py is missing."""
    from gradspec.spec.reading.folder import ROOT

    from ..checking.adequacy.reach import ReachError, measure, read_reasons, table, without_reason

    if not any(select in case.id for case in spec.cases):
        misuse(f"no case's id contains {select!r}; see `gradspec list cases`")
    with explained():
        reasons = read_reasons()
    try:
        files = measure(root, select, trust_words)
    except ReachError as error:
        misuse(str(error))
    for line in table(files, lines=reach == "all"):
        say(line)
    if select or root != ROOT:
        return True
    more, fewer = without_reason(files, reasons)
    for line in more:
        say(f"no reason why these statements are not reached: {line}")
    for line in fewer:
        say(f"more reasons than unreached statements: {line}")
    return not more


def chosen_faults(spec: Spec, root: Path, select: str | None, engine: str) -> list[Entry]:
    """The faults of the bank, or those whose id or behaviors contain a text; it is a usage error if none
    does, nor any operation of the catalogue, whose faults are made by rule."""
    from ..checking.adequacy.bank import read_bank
    from ..checking.adequacy.operation_faults import behaviors_of_operations

    with explained():
        faults = read_bank(spec, select=select or "", engine=engine)
    if select and not faults and not behaviors_of_operations(spec, root, select):
        misuse(f"no fault has {select!r} in its id or its behaviors, and no operation")
    return faults


def bank_is_noticed(
    spec: Spec, root: Path, engine: str, faults: list[Entry], select: str | None, jobs: int, thorough: bool
) -> bool:  # fmt: skip
    """Run the bank of faulty engines; whether every fault is noticed where it should be."""
    from ..checking.adequacy.bank import read_bank
    from ..checking.adequacy.findings import findings_of
    from ..checking.adequacy.operation_faults import OperationFindings, run_operation_faults
    from ..checking.adequacy.shards import run_bank
    from ..checking.adequacy.trial import Trial
    from ..checking.exemptions import needless_exemptions
    from ..running.progress import progress
    from ..running.runner import Options, open_session

    store = Path("results") / f"adequacy-{engine}{'-part' if select else ''}.jsonl"
    trial = Trial(engine, spec)
    with progress(len(faults)) as advance:
        outcomes = run_bank(faults, trial, store, jobs, lambda outcome: advance(), thorough)
    noticing = {case for outcome in outcomes for case in outcome.noticed}
    with explained():
        session = open_session(Options(engine), root)
    healthy = frozenset(
        case.id for case in spec.cases
        if case.id in noticing and session.run_case(case).verdict == "pass"
    )  # fmt: skip
    session.close()
    found = findings_of(faults, outcomes, spec, healthy)
    if engine == "reference":
        operations = run_operation_faults(spec, root, select or "")
        by_any_engine = {name for entry in read_bank(spec) for name in entry.breaks}
        tried = by_any_engine.union(operations.tried)
        found.untried = [name for name in found.untried if name not in tried]
    else:
        operations = OperationFindings()
        found.untried = []
    found.untried += operations.untried
    found.unnoticed += operations.unnoticed
    found.broken += [operations.broken] if operations.broken else []
    for title, lines in (("cannot be tried", found.broken), ("noticed by no case", found.unnoticed),
                         ("noticed elsewhere only", found.elsewhere)):  # fmt: skip
        for line in lines:
            say(f"{title}: {line}")
    needless = needless_exemptions(spec, root) if engine == "reference" and not select else []
    for problem in needless:
        say(problem)
    if thorough and not select:
        for line in found.blind:
            say(f"never noticed a fault: {line}")
    for line in found.untried if not select else ():
        say(f"no fault is meant to break it: {line}")
    faulty = found.faults + operations.faults
    noticed = faulty - len(found.unnoticed) - len(found.broken)
    where_due = noticed - len(found.elsewhere)
    engines = f"{faulty} faulty engine{'s' * (faulty != 1)}"
    summary = f"{engines}, {noticed} noticed, {where_due} of them by the behavior that they break"
    if not select:
        seeing = len(spec.behaviors) - len(found.blind)
        summary += f"; {seeing} of {len(spec.behaviors)} behaviors noticed one"
    say(summary, err=True)
    return found.adequate and not needless
