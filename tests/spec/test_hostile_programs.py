"""Programs, ledgers and links of a stranger's folder: each is refused in its place, or costs its case one
verdict in bounded time and memory. Beside `test_hostile_specifications.py`, which is about words."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest
from folders import behavior, chapter, make_folder, problems_of, verdict_of
from gradspec.adapters.framework import python_engine
from gradspec.adapters.framework.engine import MOST_REPORTED
from gradspec.conformance.running.runner import Options, open_session
from gradspec.spec.reading.folder import ROOT
from suite_kit import gradspec, make_tiny_spec

WELL = chapter(behavior("x = tensor([1.0])\nassert x == [1.0]"))


@pytest.mark.parametrize(
    "program",
    ["assert 0 ** -1 == 1", "x = 0 ** -1\nassert x == 1", "assert -(0 ** -1) == 1",
     "assert [0 ** -1] == [1]", "x = lambda: 0 ** -1\nassert x() == 1", "assert -0 ** -2 == 1"],
)  # fmt: skip
def test_arithmetic_that_fails_is_no_traceback(program: str, tmp_path: Path) -> None:
    """It is a problem of the folder, or of the case when it runs."""
    root = make_folder(tmp_path / "spec", chapter(behavior(program)))
    if problems_of(root):
        return
    assert verdict_of(root, "reference").verdict == "fail"


@pytest.mark.parametrize("content", [b"{[}", b"\xff", b"[1]", b"a: 1", b"x" * (2 << 20)])
def test_a_ledger_that_cannot_be_read_is_a_problem(content: bytes, tmp_path: Path) -> None:
    root = make_tiny_spec(tmp_path / "spec")
    (root / "ledger.yaml").write_bytes(content)
    found = gradspec("check", f"--spec={root}", cwd=tmp_path)
    assert found.returncode == 1
    assert "ledger.yaml:1:" in found.stdout
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("name", ["sources.yaml", "behaviors/evil.yaml", "ops", "order"])
def test_a_link_out_of_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    """What it leads to is not read, and so not shown either."""
    outside = tmp_path / "outside"
    outside.mkdir()
    secret = outside / "secret.yaml"
    secret.write_text("tiny: {title: MY-SECRET, where: here, parts: {all: All}}\n")
    root = make_tiny_spec(tmp_path / "spec")
    (root / name).unlink(missing_ok=True)
    (root / name).symlink_to(outside if "." not in name else secret)
    found = gradspec("export", f"--spec={root}", cwd=tmp_path)
    assert found.returncode == 2
    assert "a link that leads out of it" in found.stderr
    assert "MY-SECRET" not in found.stdout + found.stderr


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    root = make_tiny_spec(tmp_path / "spec")
    (root / "behaviors" / "tiny.yaml").rename(root / "kept.yaml")
    (root / "behaviors" / "tiny.yaml").symlink_to("../kept.yaml")
    assert gradspec("list", "cases", f"--spec={root}", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("engine", ["reference", "torch"])
@pytest.mark.parametrize("method", ["tofile", "dump"])
def test_a_word_of_the_folder_reaches_no_array_of_numpy(
    engine: str, method: str, tmp_path: Path
) -> None:
    """Not even where it is trusted: an array is not of the engine's package."""
    pytest.importorskip("torch" if engine == "torch" else "numpy")
    vocabulary = (ROOT / "vocabulary.yaml").read_text("utf-8")
    vocabulary += f"\n- feature: numpy\n  methods: {{{method}: A word.}}\n"
    marker = tmp_path / "marker"
    program = f'assert to_numpy(tensor([1.0])).{method}("{marker}") is None'
    files: dict[str, str | bytes] = {"vocabulary.yaml": vocabulary, **chapter(behavior(program))}
    root = make_folder(tmp_path / "spec", files)
    found = verdict_of(root, engine, trust_words=True)
    assert found.verdict == "unsupported", found.message
    assert not marker.exists()


REPORTS = {
    "a large tensor": "x = zeros(4000, 4000)\nassert x == [1.0]",
    "many tensors": "x = zeros(500, 500)\nfor i in range(100):\n    assert x == [1.0]",
    "many notes": (
        'for i in range(1000000):\n    for j in range(1000000):\n        trace("a", i)\n'
        "assert traced() == []"
    ),
    "a long text": 'y = "%10000000d" % 1\nassert y == "a"',
    "a long list": "x = list(range(1000000))\nassert [x, x] == [1]",
    "a large tensor within a block": (
        'x = zeros(4000, 4000)\nwith raises("wrong-shape"):\n    assert x == [1.0]'
    ),
}


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("name", REPORTS)
def test_what_a_program_reports_is_bounded(
    name: str, isolate: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process as in one of its own: the judge never sees more than it can judge soon. Here the
    bound is lower, since to trace what is allocated up to it takes long."""
    monkeypatch.setattr(python_engine, "MOST_REPORTED", MOST_REPORTED // 16)
    root = make_folder(tmp_path / "spec", chapter(behavior(REPORTS[name])))
    session = open_session(Options("reference", isolate=isolate), root)
    (case,) = session.cases()
    begun = time.process_time()
    tracemalloc.start()
    verdict = session.run_case(case)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    session.close()
    assert (verdict.verdict, verdict.kind) in (("crash", "protocol"), ("timeout", ""))
    assert time.process_time() - begun < 20
    assert peak < (1 << 30) // (1 if isolate else 16)


def test_a_full_terminal_is_no_traceback(tmp_path: Path) -> None:
    import subprocess
    import sys

    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "gradspec.conformance.cli", "list", "cases"],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert found.returncode == 1
    assert found.stderr == "gradspec: the output cannot be written: No space left on device\n"


STRAYS = {
    "a file with another ending": ("u.yml", "title: U", "u.yml:1:1: expected a file that ends in .yaml"),
    "a name that is no file": ("order.txt", "sample\nsampel", "order.txt:2:1: there is no file 'sampel.yaml'"),
    "a name twice": ("order.txt", "sample\nsample", "order.txt:2:1: 'sample' is listed twice"),
}  # fmt: skip


@pytest.mark.parametrize("name", STRAYS)
def test_nothing_in_a_folder_is_passed_over(name: str, tmp_path: Path) -> None:
    file, text, told = STRAYS[name]
    root = make_folder(tmp_path / "spec", {**WELL, f"behaviors/{file}": text})
    assert told in "\n".join(map(str, problems_of(root)))


def test_a_mistake_in_a_list_of_known_failures_is_not_the_specifications(tmp_path: Path) -> None:
    root = make_tiny_spec(tmp_path / "spec")
    for text in ("- {case: a}", "- ["):
        (tmp_path / "k.yaml").write_text(text)
        found = gradspec(
            "run", "--impl=reference", "--known=k.yaml", f"--spec={root}", cwd=tmp_path
        )
        assert found.returncode == 2
        assert "in the list of known failures" in found.stderr
