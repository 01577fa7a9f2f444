"""The bank of faulty engines: it notices what it should, and cannot rot."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradspec.conformance.checking.adequacy.findings import BY_NO_PIECE, findings_of
from gradspec.conformance.checking.adequacy.operation_faults import run_operation_faults
from gradspec.conformance.checking.adequacy.source_bank import read_outcomes, run_bank
from gradspec.conformance.checking.adequacy.source_fault import Fault, read_faults, reference_source
from gradspec.spec.load import load_spec
from gradspec.spec.problems import SpecError
from gradspec.spec.reading.folder import operation_paths

SPEC = load_spec()
ALL = frozenset(case.id for case in SPEC.cases)
ENTRY = """
- id: some-fault
  fault: Something is wrong.
  breaks: [{breaks}]
  replace: "{replace}"
  by: "pass"
"""


def written(folder: Path, breaks: str, replace: str) -> Path:
    (folder / "faults.yaml").write_text(ENTRY.format(breaks=breaks, replace=replace), "utf-8")
    return folder


def test_our_own_bank_fits_the_reference() -> None:
    faults = read_faults(SPEC)
    assert len(faults) >= 1
    source = reference_source()
    for fault in faults:
        assert source[fault.file].count(fault.replace) == 1


def test_every_behavior_is_broken_by_a_fault_or_it_is_said_why_none_can() -> None:
    """Those of the catalogue are broken by rule, and tried in a test of their own."""
    catalogued = {path.stem for path in operation_paths()}
    broken = {name for fault in read_faults(SPEC) for name in fault.breaks}
    written = {item.id for item in SPEC.behaviors if item.chapter not in catalogued}
    assert written - broken - set(BY_NO_PIECE) == set()
    assert set(BY_NO_PIECE) - written == set()
    assert set(BY_NO_PIECE) & broken == set()


def test_a_text_that_is_gone_is_told(tmp_path: Path) -> None:
    folder = written(tmp_path, "accumulation.second-pass-adds", "no such text anywhere")
    with pytest.raises(SpecError, match="stands nowhere in the reference"):
        read_faults(SPEC, folder)


def test_a_text_that_stands_often_is_told(tmp_path: Path) -> None:
    folder = written(tmp_path, "accumulation.second-pass-adds", "return")
    with pytest.raises(SpecError, match="must stand there exactly once"):
        read_faults(SPEC, folder)


def test_an_unknown_behavior_is_told_with_the_nearest(tmp_path: Path) -> None:
    folder = written(tmp_path, "accumulation.second-pas-adds", "no such text anywhere")
    with pytest.raises(SpecError, match=r"did you mean 'accumulation.second-pass-adds'"):
        read_faults(SPEC, folder)


def sample() -> list[Fault]:
    """A real fault, one that changes nothing, and one that does not even import."""
    real = read_faults(SPEC)[0]
    harmless = Fault(
        "harmless",
        "Nothing is wrong.",
        real.breaks,
        real.file,
        real.replace,
        real.replace,
        real.place,
    )
    broken = Fault(
        "broken", "It does not compile.", real.breaks, real.file, real.replace, "(", real.place
    )
    return [real, harmless, broken]


def test_the_bank_tells_real_harmless_and_broken_faults_apart(tmp_path: Path) -> None:
    faults = sample()
    outcomes = run_bank(faults, SPEC, tmp_path / "adequacy.jsonl", 2, lambda outcome: None)
    found = findings_of(faults, outcomes, SPEC, ALL - set(outcomes[1].noticed))
    assert outcomes[0].noticed
    assert [line.split(":")[0] for line in found.unnoticed] == ["harmless"]
    assert [line.split(":")[0] for line in found.broken] == ["broken"]
    assert not found.adequate


def test_a_second_run_takes_up_what_is_done(tmp_path: Path) -> None:
    store = tmp_path / "adequacy.jsonl"
    faults = sample()[:1]
    first = run_bank(faults, SPEC, store, 1, lambda outcome: None)
    marked = (
        store.read_text("utf-8").replace('"seconds"', '"seconds": 77.0, "was"').split(', "was"')[0]
        + "}\n"
    )
    store.write_text(marked + '{"torn', "utf-8")
    again = run_bank(faults, SPEC, store, 1, lambda outcome: None)
    assert again[0].noticed == first[0].noticed
    assert again[0].seconds == 77.0, "the outcome was kept, not made anew"
    assert list(read_outcomes(store)) == [faults[0].id]


def test_a_sample_of_the_bank_is_noticed_by_the_behaviors_it_breaks(tmp_path: Path) -> None:
    """Every ninth fault; `gradspec check --adequacy` tries them all."""
    faults = read_faults(SPEC)[::9]
    outcomes = run_bank(faults, SPEC, tmp_path / "adequacy.jsonl", 1, lambda outcome: None)
    found = findings_of(faults, outcomes, SPEC, ALL)
    assert not found.broken
    assert not found.unnoticed
    assert not found.elsewhere


def test_faults_that_are_not_asked_for_are_not_looked_at(tmp_path: Path) -> None:
    """A part of the bank can be tried while another part no longer fits the reference."""
    entry = "- {{id: {}, fault: A thing., breaks: [{}], replace: '{}', by: x}}\n"
    first, second = (behavior.id for behavior in SPEC.behaviors[:2])
    (tmp_path / "some.yaml").write_text(
        entry.format("one", first, "def read_rows(") + entry.format("two", second, "import numpy"),
        "utf-8",
    )
    with pytest.raises(SpecError, match=r"stands .* times in .* \(lines? \d+") as raised:
        read_faults(SPEC, tmp_path, select="two")
    assert len(raised.value.problems) == 1
    with pytest.raises(SpecError, match="stands nowhere"):
        read_faults(SPEC, tmp_path, select=first)
    assert read_faults(SPEC, tmp_path, select="three") == []


def test_the_faults_of_one_operation_can_be_tried_alone() -> None:
    found = run_operation_faults(SPEC, select="unary.expm1")
    assert found.tried == ["unary.expm1"]
    assert found.faults == 3
    assert not found.unnoticed
    assert run_operation_faults(SPEC, select="no-such-operation").faults == 0


def test_the_catalogue_notices_every_faulty_kernel_and_rule() -> None:
    """Each operation's kernel, rule and rule's history in turn, on each behavior that uses it."""
    found = run_operation_faults(SPEC)
    assert not found.broken
    assert not found.unnoticed
    assert not found.untried
    assert found.faults > len(found.tried)
