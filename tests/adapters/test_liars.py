"""Engines that misbehave on one case: it costs that case its verdict, and nothing else.

Each lie of `liars/liar.py` is told in this process and in a process of its own. What is expected
stands in the tables: the verdict on the one case, and how it is told. Every other case gets what the
honest engine gets.
"""

from __future__ import annotations

import sys
from pathlib import Path

import jsonschema
import pytest
from gradspec.conformance.reporting.report import write_report
from gradspec.conformance.running.journal import Journal
from gradspec.spec.load import load_spec
from suite_kit import SPEC, VERDICTS, VICTIM, hold, verdicts_of

pytestmark = pytest.mark.usefixtures("liars")
TIMEOUT = 0.6

FAILS = {
    "lies_about_the_shape": "wrong-value",
    "lies_about_the_dtype": "wrong-value",
    "gives_nan": "wrong-value",
    "gives_a_shape_of_floats": "malformed",
    "gives_a_number_beyond_all_floats": "malformed",
    "gives_objects": "malformed",
    "gives_a_negative_shape": "malformed",
    "gives_a_shape_of_objects": "malformed",
    "gives_a_list_within_itself": "unexpected-error",
    "gives_much": "malformed",
    "raises_what_cannot_be_printed": "unexpected-error",
    "raises_half_a_character": "unexpected-error",
    "raises_markup": "unexpected-error",
    "raises_a_long_message": "unexpected-error",
    "recurses": "unexpected-error",
    "cannot_be_asked": "unexpected-error",
    "gives_numbers_that_agree_with_everything": "wrong-value",
    "gives_text_for_numbers": "malformed",
    "gives_truth_for_numbers": "wrong-value",
    "raises_escapes": "unexpected-error",
    "raises_a_group": "unexpected-error",
    "raises_what_has_no_name": "unexpected-error",
    "has_a_dtype_that_cannot_be_shown": "unexpected-error",
    "raises_from_itself": "unexpected-error",
}
CRASHES = {
    "gives_a_shape_beyond_all_memory": "protocol",
    "calls_sys_exit": "exit",
    "raises_system_exit": "exit",
    "raises_keyboard_interrupt": "exit",
    "raises_base_exception": "exit",
    "raises_generator_exit": "exit",
    "raises_what_exits_when_it_is_printed": "exit",
    "raises_what_exits_when_it_is_named": "exit",
    "raises_what_interrupts_when_it_is_printed": "exit",
}
CRASHES_OF_THE_PROCESS = {
    "exits_with_0": "died",
    "exits_with_3": "died",
    "reads_null": "died",
    "kills_itself": "died",
    "aborts": "died",
    "writes_to_every_pipe": "protocol",
    "writes_half_a_line": "protocol",
    "runs_out_of_memory": "memory",
    "hoards_memory": "memory",
    "exits_in_a_thread": "died",
    "interrupts_the_main_thread": "exit",
    "exits_in_a_finalizer": "died",
    "becomes_another_program": "died",
    "closes_every_file": "died",
}
HANGS = (
    "loops", "loops_in_a_hook", "waits_for_a_lock", "swallows_the_timeout", "sleeps",
    "stops_the_clock", "blocks_the_alarm", "deafens_python", "puts_every_handler_back",
)  # fmt: skip
HANGS_FOR_EVER = ("never_gives_up", "is_deaf")
HARMLESS = (
    "prints", "writes_to_standard_output", "prints_from_c", "changes_the_folder",
    "replaces_standard_output", "turns_warnings_into_errors", "lowers_the_recursion_limit",
    "takes_the_signals", "stops_collecting", "forgets_its_module", "forks",
    "forks_a_child_that_stays", "writes_to_the_journal", "removes_the_journal",
    "empties_the_journal", "raises_when_it_is_freed", "raises_in_a_thread",
    "starts_a_program_that_stays", "starts_a_daemon", "exits_by_a_timer",
    "exits_by_a_signal_of_a_thread", "collects_all_the_time", "closes_its_streams",
    "lowers_the_limits",
)  # fmt: skip
HARMLESS_ELSEWHERE = (
    "closes_standard_output", "starts_a_thread_that_stays", "arranges_to_exit_with_0",
    "clears_the_environment", "floods_standard_error", "forbids_more_files",
    "deafens_itself_to_the_end",
)  # fmt: skip

IN_THIS_PROCESS = {
    **{name: ("fail", kind) for name, kind in FAILS.items()},
    **{name: ("crash", kind) for name, kind in CRASHES.items()},
    **dict.fromkeys(HANGS, ("timeout", "")),
    **dict.fromkeys(HARMLESS, ("pass", "")),
}
ISOLATED = {
    **IN_THIS_PROCESS,
    **{name: ("crash", kind) for name, kind in CRASHES_OF_THE_PROCESS.items()},
    **dict.fromkeys(HANGS_FOR_EVER, ("timeout", "")),
    **dict.fromkeys(HARMLESS_ELSEWHERE, ("pass", "")),
}


def expect(journal: Journal, verdict: str, kind: str) -> None:
    """One verdict for the one case, and the honest ones for the rest."""
    assert verdicts_of(journal) == {**VERDICTS, VICTIM: verdict}
    blamed = next(item for item in journal.verdicts if item.case == VICTIM)
    assert blamed.kind == kind, blamed
    assert blamed.message or verdict == "pass"
    assert journal.complete
    assert journal.footer is not None
    assert journal.footer["written"] == journal.footer["collected"] == len(VERDICTS)
    assert journal.path is not None
    assert journal.path.read_bytes().count(b"\n") == len(VERDICTS) + 2


def report(journal: Journal, folder: Path, spec: Path) -> None:
    """What an engine says makes no script of the report."""
    assert journal.path is not None
    write_report([journal.path], folder, load_spec(spec))
    assert "<script>alert(" not in (folder / "report.html").read_text("utf-8")


def told(
    name: str, tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, isolate: bool
) -> Journal:
    """Hold the engine with one lie against the tiny specification.

    What it raises where nobody can catch it is printed, as Python does by default: pytest's hook
    keeps a traceback of each, which takes longer than a case may where there are thousands.
    """
    path = tmp_path / "run.jsonl"
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    monkeypatch.setenv("LIARS_JOURNAL", str(path))
    memory = 100 if isolate else None
    return hold(
        f"module:liar:{name}", tiny_spec, path,
        isolate=isolate, case_timeout=TIMEOUT, case_memory=memory,
    )  # fmt: skip


def test_the_honest_engine_gets_what_the_others_are_measured_by(
    tiny_spec: Path, tmp_path: Path
) -> None:
    for isolate in (False, True):
        path = tmp_path / f"{isolate}.jsonl"
        assert verdicts_of(hold("module:honest", tiny_spec, path, isolate=isolate)) == VERDICTS


def test_every_lie_is_in_a_table() -> None:
    import lies

    assert set(ISOLATED) == set(lies.LIES)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("name", IN_THIS_PROCESS)
def test_told_in_this_process(
    name: str, tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sys.getrecursionlimit(), sys.stdout, Path.cwd()
    journal = told(name, tiny_spec, tmp_path, monkeypatch, isolate=False)
    expect(journal, *IN_THIS_PROCESS[name])
    assert (sys.getrecursionlimit(), sys.stdout, Path.cwd()) == before
    if name in FAILS:
        report(journal, tmp_path / "report", tiny_spec)


@pytest.mark.parametrize("name", ISOLATED)
def test_told_in_a_process_of_its_own(
    name: str, tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = told(name, tiny_spec, tmp_path, monkeypatch, isolate=True)
    expect(journal, *ISOLATED[name])


def test_every_line_of_such_journals_fits_the_schema(
    tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import json

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    schema = json.loads((SPEC / "schema" / "journal.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for name in ("gives_nan", "gives_objects", "gives_much", "raises_half_a_character"):
        journal = told(name, tiny_spec, tmp_path, monkeypatch, isolate=False)
        assert journal.path is not None
        for line in journal.path.read_text("utf-8").splitlines():
            validator.validate(json.loads(line, parse_constant=refuse))
        (tmp_path / "run.jsonl").unlink()
