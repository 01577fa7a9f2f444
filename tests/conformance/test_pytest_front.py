"""`pytest conformance --impl=NAME`, as its users call it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gradspec.conformance.running.journal import Journal, read_journal
from suite_kit import (
    CHAPTER,
    VERDICTS,
    VICTIM,
    make_tiny_spec,
    run_pytest,
    run_python,
    verdicts_of,
)

PASSING = [case for case, verdict in VERDICTS.items() if verdict == "pass"]
Found = subprocess.CompletedProcess[str]


@pytest.fixture
def front(tiny_spec: Path, tmp_path: Path):  # type: ignore[no-untyped-def]
    """Run the tiny specification on the honest engine, or another, under pytest."""

    def run(*arguments: str, impl: str = "module:honest", spec: Path = tiny_spec) -> Found:
        named = [f"--impl={impl}"] if impl else []
        return run_pytest(*named, f"--spec={spec}", "--journal=run.jsonl", *arguments, cwd=tmp_path)

    return run


def journal_in(folder: Path) -> Journal:
    return read_journal(folder / "run.jsonl")


# --- an ordinary run ---


def test_one_item_for_each_case_and_counts_that_add_up(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    found = front("-v")
    assert found.returncode == 1
    journal = journal_in(tmp_path)
    assert verdicts_of(journal) == VERDICTS
    assert journal.complete
    assert journal.footer is not None
    assert f"collected {len(VERDICTS)} items" in found.stdout
    assert journal.footer["collected"] == journal.footer["written"] == len(VERDICTS)
    assert sum(journal.footer["counts"].values()) == len(VERDICTS)
    last = found.stdout.splitlines()[-1]
    for count in ("1 failed", "6 passed", "1 differs", "1 unsupported"):
        assert count in last


def test_a_failure_tells_what_a_reader_needs(front) -> None:  # type: ignore[no-untyped-def]
    told = front().stdout
    assert "A thing that the honest engine gets wrong MUST be told." in told
    assert "-> assert (x * 2.0).requires_grad" in told
    assert "expected: True" in told
    assert "observed: False" in told
    assert "tiny.yaml:" in told
    assert "gradspec repro 'tiny.departs/a-leaf-keeps-its-place' --impl=module:honest" in told
    assert "MUST, documented or implied:         6 / 7 / 8   (1 fail, 1 unsupported)" in told
    assert "SHOULD, MAY, observed, conventions:  0 / 1 / 1   (1 fail)" in told
    assert "missing: Tensor.sqrt (1)" in told


def test_what_was_only_observed_does_not_fail_the_run(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """It is shown, counted apart and in the journal."""
    found = front("-k", "not keeps-its-place", "-rs")
    assert found.returncode == 0
    assert "1 differs" in found.stdout
    assert verdicts_of(journal_in(tmp_path))["tiny.departs-apart/a-name"] == "fail"


# --- misuse ---


@pytest.mark.parametrize(
    ("arguments", "impl", "told"),
    [
        ([], "", "expected --impl=NAME, the engine to test, such as --impl=reference"),
        ([], "referense", "did you mean 'reference'?"),
        ([], "module:no_such_module", "'no_such_module' cannot be imported"),
        ([], "module:", "needs a module"),
        ([], "module:honest:nothing_such", "has no 'nothing_such'"),
        ([], "no_such_file.py:Engine", "no adapter file 'no_such_file.py'"),
        ([], "adapter.py", "needs a class"),
        ([], "exec:no-such-harness", "cannot start"),
        (["--profile=cores"], "module:honest", "unknown profile 'cores'"),
        (["--device=cuda"], "module:honest", "no device 'cuda'; it has: cpu"),
        (["--device=cuda", "--isolate"], "module:honest", "no device 'cuda'; it has: cpu"),
        (["--known=nowhere.yaml"], "module:honest", "known failures 'nowhere.yaml' does not exist"),
        (["--python=/no/such/python"], "module:honest", "cannot start"),
        (["--case-timeout=-1"], "module:honest", "--case-timeout must be from 0.001"),
        (["--case-timeout=nan"], "module:honest", "found nan"),
        (["--case-timeout=1e300"], "module:honest", "found 1e+300"),
        (["--case-answer=inf", "--isolate"], "module:honest", "--case-answer must be from 0.001"),
        (["--start-timeout=nan", "--isolate"], "module:honest", "--start-timeout must be from"),
        (
            ["--case-memory=99999999999999999999999", "--isolate"],
            "module:honest",
            "MiB, found 9999",
        ),
    ],
)
def test_misuse_has_status_2_and_says_what_to_do(
    front, arguments: list[str], impl: str, told: str
) -> None:  # type: ignore[no-untyped-def]
    found = front(*arguments, impl=impl)
    assert found.returncode == 2, found.stdout
    assert told in found.stdout + found.stderr
    assert "Traceback" not in found.stdout + found.stderr


def test_a_faulty_specification_has_status_2(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    broken = make_tiny_spec(tmp_path / "broken", "title: Broken\n")
    found = front(spec=broken)
    assert found.returncode == 2
    assert "tiny.yaml" in found.stdout + found.stderr


# --- pytest's own options ---


def test_choosing_cases(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    found = front("-k", "two-passes or a-product")
    assert found.returncode == 0
    journal = journal_in(tmp_path)
    assert list(verdicts_of(journal)) == ["tiny.adds/two-passes", "tiny.values/a-product"]
    assert not journal.complete, "a choice of cases is not the whole run"


def test_stopping_at_the_first_failure(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    found = front("-x")
    assert found.returncode == 1
    journal = journal_in(tmp_path)
    assert not journal.complete
    assert (
        list(verdicts_of(journal))
        == list(VERDICTS)[: list(VERDICTS).index("tiny.departs/a-leaf-keeps-its-place") + 1]
    )
    assert front("--resume").returncode == 1
    assert verdicts_of(journal_in(tmp_path)) == VERDICTS
    assert journal_in(tmp_path).complete


def test_two_workers(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("xdist")
    found = front("-n", "2")
    assert found.returncode == 1
    journal = journal_in(tmp_path)
    assert verdicts_of(journal) == VERDICTS
    assert journal.complete
    for count in ("1 failed", "6 passed", "1 differs", "1 unsupported"):
        assert count in found.stdout.splitlines()[-1]


def test_a_worker_that_dies_costs_one_verdict(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("xdist")
    found = front("-n", "2", impl="module:liar:exits_with_3")
    assert found.returncode == 1
    journal = journal_in(tmp_path)
    assert verdicts_of(journal) == {**VERDICTS, VICTIM: "crash"}
    assert journal.complete


def test_isolated(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    found = front("--isolate", "--case-timeout=5", impl="module:liar:kills_itself")
    assert found.returncode == 1
    assert "killed by signal 9" in found.stdout
    assert verdicts_of(journal_in(tmp_path)) == {**VERDICTS, VICTIM: "crash"}


def test_junit(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    front("--junitxml=junit.xml", impl="module:liar:raises_half_a_character")
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()[0]
    assert suite.get("tests") == str(len(VERDICTS))
    assert suite.get("failures") == "2"
    assert suite.get("skipped") == "2"


def test_collecting_only_writes_nothing(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    found = front("--collect-only", "-q")
    assert found.returncode == 0
    assert [line.partition("::")[2] for line in found.stdout.splitlines()[: len(VERDICTS)]] == list(
        VERDICTS
    )
    assert not (tmp_path / "run.jsonl").exists()


@pytest.mark.parametrize(
    "option",
    ["--fixtures", "--fixtures-per-test", "--setup-plan", "--setup-only", "--markers", "--help"],
)
def test_looking_only_changes_no_journal(front, tmp_path: Path, option: str) -> None:  # type: ignore[no-untyped-def]
    front()
    before = (tmp_path / "run.jsonl").read_bytes()
    assert front(option).returncode == 0
    assert (tmp_path / "run.jsonl").read_bytes() == before


@pytest.mark.parametrize("mode", [[], ["--isolate"]])
def test_a_case_that_another_plugin_ends_has_a_verdict(
    front, tmp_path: Path, mode: list[str]
) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("pytest_timeout")
    found = front("--timeout=1", *mode, impl="module:liar:sleeps")
    assert found.returncode == 1
    assert journal_in(tmp_path).complete
    expected = {**VERDICTS, VICTIM: "timeout" if mode else "crash"}
    assert verdicts_of(journal_in(tmp_path)) == expected


def test_last_failed(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    front()
    found = front("--lf")
    assert found.returncode == 1
    assert list(verdicts_of(journal_in(tmp_path))) == ["tiny.departs/a-leaf-keeps-its-place"]
    assert not journal_in(tmp_path).complete


def test_last_failed_finds_cases_of_a_table(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Whose ids end in a row in brackets, which pytest takes for parameters."""
    chapter = CHAPTER.replace(
        "      a leaf keeps its place: |\n"
        "        x = tensor([3.0])\n"
        "        assert (x * 2.0).requires_grad\n",
        "      a leaf keeps its place:\n"
        "        each: {n: [2.0, 5.0]}\n"
        "        program: |\n"
        "          x = tensor([3.0])\n"
        "          assert (x * n).requires_grad\n",
    )
    spec = make_tiny_spec(tmp_path / "rows", chapter)
    failing = [f"tiny.departs/a-leaf-keeps-its-place[n={n}]" for n in ("2.0", "5.0")]
    front(spec=spec)
    front("--lf", spec=spec)
    assert list(verdicts_of(journal_in(tmp_path))) == failing


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_beside_another_file_of_tests(front, tmp_path: Path, workers: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    """Its tests are no cases: the run is whole, and its counts add up."""
    if workers:
        pytest.importorskip("xdist")
    (tmp_path / "test_other.py").write_text("def test_a(): pass\ndef test_b(): pass\n", "utf-8")
    found = front("test_other.py", "-k", "not keeps-its-place", *workers)
    assert found.returncode == 0, found.stdout
    found = front("test_other.py", *workers)
    assert found.returncode == 1
    journal = journal_in(tmp_path)
    assert verdicts_of(journal) == VERDICTS
    assert journal.complete
    before = (tmp_path / "run.jsonl").read_bytes()
    assert front("test_other.py", "-k", "test_a", *workers).returncode == 0
    assert (tmp_path / "run.jsonl").read_bytes() == before


def test_one_verdict_for_each_case_whoever_runs_it(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("xdist")
    found = front("-n", "2", "--dist=each")
    assert found.returncode == 2
    assert "would run each case several times" in found.stdout + found.stderr
    assert not (tmp_path / "run.jsonl").exists()


@pytest.mark.parametrize(
    "plugin",
    [
        "def pytest_runtest_setup(item): pytest.skip('no')",
        "def pytest_runtest_protocol(item, nextitem): return True",
    ],
)
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_cases_that_another_plugin_keeps_from_running(
    front, tmp_path: Path, plugin: str, workers: tuple[str, ...]
) -> None:  # type: ignore[no-untyped-def]
    """A run without a verdict is cut short, and no success."""
    if workers:
        pytest.importorskip("xdist")
    (tmp_path / "meddling.py").write_text(f"import pytest\n{plugin}\n", "utf-8")
    found = front("-p", "meddling", *workers)
    assert found.returncode == 1, found.stdout
    assert "none was run" in found.stdout


def test_cases_that_are_collected_twice(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "twice.py").write_text(
        "import pytest\n@pytest.hookimpl(trylast=True)\n"
        "def pytest_collection_modifyitems(items): items.extend(list(items))\n",
        "utf-8",
    )
    front("-p", "twice")
    assert verdicts_of(journal_in(tmp_path)) == VERDICTS
    assert journal_in(tmp_path).complete


def test_a_profile(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    front("--profile=core")
    found = set(verdicts_of(journal_in(tmp_path)))
    assert "tiny.adds/two-passes" in found
    assert "tiny.hooks/one-hook" not in found
    assert journal_in(tmp_path).complete
    assert journal_in(tmp_path).header["options"]["profile"] == "core"


def test_the_report_is_written_at_the_end(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    front("--report=report")
    assert json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))["engines"][0][
        "complete"
    ]


# --- known divergences ---

KNOWN = "- case: tiny.departs/a-leaf-keeps-its-place\n  reason: It always was so.\n  link: https://example.org/1\n"


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        (KNOWN, 0, "1 xfailed"),
        ("- {behavior: tiny.departs, reason: It always was so.}\n", 0, "1 xfailed"),
        (KNOWN + "- {case: tiny.adds/two-passes, reason: Once.}\n", 1, "remove it from the list"),
        (
            KNOWN + "- {case: tiny.add/two-passes, reason: Once.}\n",
            2,
            "did you mean 'tiny.adds/two-passes'",
        ),
        (KNOWN + "- {behavior: tiny.nothing, reason: Once.}\n", 2, "is not in the specification"),
        (KNOWN + KNOWN, 2, "is listed twice"),
        (KNOWN + "- {behavior: tiny.departs, reason: Once.}\n", 2, "is listed twice"),
        ("- {case: tiny.adds/two-passes}\n", 2, "reason"),
        (
            "- {case: tiny.adds/two-passes, behavior: tiny.adds, reason: x}\n",
            2,
            "either a case or a behavior",
        ),
        ("case: tiny.adds/two-passes\n", 2, "a list of known failures"),
        ("- [\n", 2, "known.yaml"),
        ("[]\n", 1, "1 failed"),
    ],
)
def test_known_divergences(front, tmp_path: Path, text: str, status: int, told: str) -> None:  # type: ignore[no-untyped-def]
    """A listed failure is expected; a list that is wrong in any way is not accepted."""
    (tmp_path / "known.yaml").write_text(text, "utf-8")
    found = front("--known=known.yaml", "-rx")
    assert found.returncode == status, found.stdout
    assert told in found.stdout + found.stderr


def test_the_reason_of_a_divergence_is_in_the_journal(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "known.yaml").write_text(KNOWN, "utf-8")
    front("--known=known.yaml")
    table = {item.case: item for item in journal_in(tmp_path).verdicts}
    known = table["tiny.departs/a-leaf-keeps-its-place"]
    assert known.verdict == "known"
    assert known.reason == "It always was so. (https://example.org/1)"
    assert known.kind == "wrong-state"


# --- a strict configuration ---


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_stray_exceptions_fail_no_item(front, tmp_path: Path, workers: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    """Whatever the user's filters turn into errors, pytest and the journal say the same."""
    if workers:
        pytest.importorskip("xdist")
    found = front("-W", "error", "-k", "not keeps-its-place", *workers, impl="module:strays:engine")
    assert found.returncode == 0, found.stdout + found.stderr
    for count in ("6 passed", "1 differs", "1 unsupported"):
        assert count in found.stdout.splitlines()[-1]
    assert "a stray exception" not in found.stdout
    expected = {case: verdict for case, verdict in VERDICTS.items() if "its-place" not in case}
    assert verdicts_of(journal_in(tmp_path)) == expected


def test_other_tests_of_the_session_stay_strict(front, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "test_other.py").write_text(
        "class Stray:\n"
        "    def __del__(self): raise RuntimeError('not of the engine')\n"
        "def test_stray(): Stray()\n",
        "utf-8",
    )
    found = front("-W", "error", str(tmp_path / "test_other.py"))
    assert found.returncode == 1
    assert "PytestUnraisableExceptionWarning" in found.stdout
    assert "not of the engine" in found.stdout


# --- a run without us ---


def test_the_plugin_costs_other_runs_nothing(tmp_path: Path) -> None:
    """Where gradspec is installed and not asked for, nothing heavy is imported."""
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_nothing_heavy():\n"
        "    heavy = {'numpy', 'yaml', 'jsonschema', 'torch', 'jinja2', 'gradspec.spec', 'gradspec.adapters'}\n"
        "    assert not heavy & set(sys.modules)\n"
        "    assert 'gradspec.conformance.pytest_plugin.plugin' in sys.modules\n",
        "utf-8",
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    others = ("hypothesispytest", "xdist", "timeout")
    off = [part for name in others for part in ("-p", f"no:{name}")]
    found = run_python("-m", "pytest", "-q", *off, "test_other.py", cwd=tmp_path)
    assert found.returncode == 0, found.stdout
    assert not (tmp_path / "results").exists()


def test_our_options_are_explained(tmp_path: Path) -> None:
    found = run_python("-m", "pytest", "--help", cwd=tmp_path)
    for option in ("--impl", "--device", "--python", "--isolate", "--case-timeout", "--case-memory",
                   "--journal", "--resume", "--report", "--profile", "--known", "--spec"):  # fmt: skip
        assert option in found.stdout
