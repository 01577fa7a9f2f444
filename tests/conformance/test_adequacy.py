"""`gradspec check --adequacy`: it notices what it should, and cannot rot. That every fault of the bank
is noticed is a test of its own, `test_faults.py`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gradspec.conformance.checking.adequacy import operation_faults
from gradspec.conformance.checking.adequacy.bank import ENGINES, Entry, read_bank
from gradspec.conformance.checking.adequacy.breaking import Patch
from gradspec.conformance.checking.adequacy.breaking.patch import Fault
from gradspec.conformance.checking.adequacy.faults import hooks
from gradspec.conformance.checking.adequacy.findings import CANNOT_BE_BROKEN, findings_of
from gradspec.conformance.checking.adequacy.operation_faults import MEANT, run_operation_faults
from gradspec.conformance.checking.adequacy.refusal_faults import NOT_REFUSED
from gradspec.conformance.checking.adequacy.shards import read_outcomes, run_bank
from gradspec.conformance.checking.adequacy.trial import Trial
from gradspec.spec.load import load_spec
from gradspec.spec.problems import Place, SpecError
from gradspec.spec.reading.folder import operation_paths

SPEC = load_spec()
ALL = frozenset(case.id for case in SPEC.cases)
BREAKS = ("accumulation.second-pass-adds", "hooks.leaf-hook-gets-gradient")


@pytest.fixture(scope="module")
def trial() -> Trial:
    """On a few chapters: what none of the behaviors that it breaks notices is tried on all others. One of
    them has cases that the reference does not support, with or without a fault."""
    names = ("accumulation", "complex_numbers", "hooks", "leaf")
    few = [chapter for chapter in SPEC.chapters if chapter.name in names]
    return Trial("reference", replace(SPEC, chapters=tuple(few)))


def entry(name: str, install: Any) -> Entry:
    """A fault that is not in the bank."""
    return Entry(Fault(name, "A sentence.", install), BREAKS, ENGINES, False, Place("x", 1, 1))


def sample() -> list[Entry]:
    """A real fault, one that changes nothing, and two that cannot be tried."""

    def slips(patch: Patch) -> None:
        hooks.changed_hook(patch, None)

    real = next(each for each in read_bank(SPEC) if each.id == "backward_overwrites")
    return [
        real,
        entry("harmless", lambda patch: None),
        entry("broken", lambda patch: patch.no_such_tool),
        entry("slips", slips),
    ]


def test_every_behavior_is_broken_by_a_fault_or_it_is_said_why_none_can() -> None:
    """Those of the catalogue and laws are broken by rule, and tried in a test of their own."""
    catalogued = {"laws", *(path.stem for path in operation_paths())}
    broken = {name for fault in read_bank(SPEC) for name in fault.breaks}
    written = {item.id for item in SPEC.behaviors if item.chapter not in catalogued}
    assert written - broken - set(CANNOT_BE_BROKEN) == set()
    assert set(CANNOT_BE_BROKEN) - written == set()
    assert set(CANNOT_BE_BROKEN) & broken == set()


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("must: {backward_overwrites: [accumulation.second-pas-adds]}", "did you mean 'accumulation.second-pass-adds'"),
        ("must: {backward_overwrite: [accumulation.second-pass-adds]}", "did you mean 'backward_overwrites'"),
        ("must: {backward_overwrites: []}", "at least one behavior"),
        ("must: {backward_overwrites: [leaf.another-name]}\napart: {backward_overwrites: [leaf.another-name]}",
         "is listed twice"),
        ("must: {}", "faults are missing: "),
    ],
)  # fmt: skip
def test_a_table_that_does_not_fit_the_faults_is_an_error(
    tmp_path: Path, table: str, problem: str
) -> None:
    (tmp_path / "noticed_by.yaml").write_text(table, "utf-8")
    with pytest.raises(SpecError) as raised:
        read_bank(SPEC, tmp_path / "noticed_by.yaml")
    assert problem in "\n".join(f"{each} {each.hint}" for each in raised.value.problems)


def test_real_harmless_and_broken_faults_are_distinguished(tmp_path: Path, trial: Trial) -> None:
    faults = sample()
    outcomes = run_bank(faults, trial, tmp_path / "adequacy.jsonl", 2, lambda outcome: None)
    found = findings_of(faults, outcomes, SPEC, ALL)
    assert outcomes[0].noticed
    assert [line.split(":")[0] for line in found.unnoticed] == ["harmless"]
    assert [line.split(":")[0] for line in found.broken] == ["broken", "slips"]
    assert not found.adequate


def test_a_second_run_takes_up_what_is_done(tmp_path: Path, trial: Trial) -> None:
    store = tmp_path / "adequacy.jsonl"
    faults = sample()[:1]
    first = run_bank(faults, trial, store, 1, lambda outcome: None)
    line = store.read_text("utf-8")
    store.write_text(line.replace('"seconds": ', '"seconds": 7777') + '{"torn', "utf-8")
    again = run_bank(faults, trial, store, 1, lambda outcome: None)
    assert again[0].noticed == first[0].noticed
    assert again[0].seconds > 7777, "the outcome was kept, not made anew"
    assert list(read_outcomes(store)) == [faults[0].id]


def test_part_of_the_bank_can_be_chosen() -> None:
    chosen = read_bank(SPEC, select="accumulation.second-pass-adds")
    assert "backward_overwrites" in {each.id for each in chosen}
    assert len(chosen) < 40
    assert all("torch" in each.engines for each in read_bank(SPEC, engine="torch"))
    assert read_bank(SPEC, select="no such fault") == []


def test_the_faults_of_one_operation_can_be_tried_alone() -> None:
    found = run_operation_faults(SPEC, select="unary.expm1")
    assert found.tried[0] == "unary.expm1"
    assert {"value", "gradient", "second order"} <= set(found.kinds)
    assert not found.unnoticed
    assert run_operation_faults(SPEC, select="no-such-operation").faults == 0


def test_a_call_that_must_raise_notices_that_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = run_operation_faults(SPEC, select="unary.clamp-refuses")
    assert found.kinds[NOT_REFUSED] == [found.faults, found.faults]
    assert found.faults > 1
    monkeypatch.setattr(operation_faults, "HARMLESS", {})
    found = run_operation_faults(SPEC, select="reduction.cummax-refuses")
    assert found.unnoticed == [f"reduction.cummax-refuses/no-dim: {NOT_REFUSED}"]


@pytest.mark.parametrize("chapter", ["activation", "linear", "distance", "embedding"])
def test_the_catalogue_notices_every_faulty_kernel_and_rule(chapter: str) -> None:
    """Each operation's kernel, rule and rule's history in turn, on each behavior that uses it. For
    the chapters that are left, `gradspec check --adequacy` does this: it takes several minutes."""
    found = run_operation_faults(SPEC, select=f"{chapter}.")
    assert not found.broken
    assert not found.unnoticed
    assert not found.untried
    assert found.faults > len(found.tried) > 0


def test_each_kind_of_mistake_is_made() -> None:
    """No operation allows all of them; these three do together."""
    found = [
        run_operation_faults(SPEC, select=f"binary.{name}") for name in ("add", "mul", "atan2")
    ]
    assert {kind for each in found for kind in each.kinds} == set(MEANT) | {"second order"}
