"""What the tests of the suite share: a tiny specification, and ways to hold an engine against it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import jsonschema_rs
from click.testing import CliRunner, Result
from gradspec.adapters.framework.engine import Observations
from gradspec.conformance.cli import main
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.running.journal import Journal, header_of, read_journal
from gradspec.conformance.running.journal_writer import JournalWriter
from gradspec.conformance.running.runner import Options, Session, open_session
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case
from gradspec.spec.reading.folder import ROOT as SPEC
from warm import run_module

REPOSITORY = SPEC.parent
LIARS = REPOSITORY / "tests" / "adapters" / "liars"
SUITE = REPOSITORY / "conformance"

VICTIM = "tiny.victim/the-case-to-misbehave-on"
"""The one case on which the engines in `liars/` misbehave: it makes a tensor of 666."""

VERDICTS = {
    "tiny.adds/two-passes": "pass",
    "tiny.leaf/a-new-tensor": "pass",
    "tiny.refuses/a-second-pass": "pass",
    VICTIM: "pass",
    "tiny.hooks/one-hook": "pass",
    "tiny.values/a-product": "pass",
    "tiny.departs/a-leaf-keeps-its-place": "fail",
    "tiny.departs-apart/a-name": "fail",
    "tiny.lacks/a-word": "unsupported",
}
"""What the honest engine in `liars/honest.py` gets, in the order of the chapter."""

WITNESS = "tiny.adds/two-passes"
"""The case that is tried again after the one with a refusal, to see that nothing was left behind."""

CHAPTER = """
title: Tiny
introduction: As much as an engine of a hundred lines can do.
behaviors:
  - id: tiny.adds
    statement: A second pass MUST add to the gradient.
    level: documented
    sources: [tiny#all]
    cases:
      two passes: |
        x = tensor([3.0], requires_grad=True)
        (x * 2.0).backward()
        (x * 2.0).backward()
        assert x.grad == [4.0]
  - id: tiny.leaf
    statement: A new tensor MUST be a leaf.
    level: documented
    sources: [tiny#all]
    cases:
      a new tensor: |
        x = tensor([3.0], requires_grad=True)
        assert x.is_leaf
        assert not (x * 2.0).is_leaf
  - id: tiny.refuses
    statement: A second pass through one graph MUST be refused.
    level: documented
    sources: [tiny#all]
    refuses: the second pass
    cases:
      a second pass: |
        x = tensor([3.0], requires_grad=True)
        y = x * x
        y.backward()
        with raises("graph-freed"):
            y.backward()
        assert x.grad == [6.0]
  - id: tiny.victim
    statement: A gradient MUST have the dtype and shape of its tensor.
    level: documented
    sources: [tiny#all]
    needs: [tiny.adds]
    cases:
      the case to misbehave on: |
        x = tensor([666.0], requires_grad=True)
        y = x * 2.0
        y.backward()
        assert x.grad == [2.0]
        assert x.grad.dtype == float32
        assert x.grad.shape == (1,)
  - id: tiny.hooks
    statement: A hook MUST see the gradient.
    level: documented
    sources: [tiny#all]
    cases:
      one hook: |
        x = tensor([3.0], requires_grad=True)
        x.register_hook(lambda g: trace("hook", g))
        (x * 2.0).backward()
        assert traced() == [("hook", [2.0])]
  - id: tiny.values
    statement: The gradient of a product MUST hold the other factor.
    level: documented
    sources: [tiny#all]
    folklore: Gradients are <b>magic</b>.
    cases:
      a product: |
        x = tensor([3.0], requires_grad=True)
        y = tensor([5.0], requires_grad=True)
        (x * y).backward()
        assert x.grad == [5.0]
        assert y.grad == [3.0]
  - id: tiny.departs
    statement: A thing that the honest engine gets wrong MUST be told.
    level: documented
    sources: [tiny#all]
    cases:
      a leaf keeps its place: |
        x = tensor([3.0])
        assert (x * 2.0).requires_grad
  - id: tiny.departs-apart
    statement: A thing that was only observed MUST be scored separately.
    level: observed
    cases:
      a name: |
        x = tensor([3.0], requires_grad=True)
        assert x.grad == [0.0]
  - id: tiny.lacks
    statement: A word that is not there MUST be no fault.
    level: documented
    sources: [tiny#all]
    cases:
      a word: |
        assert tensor([4.0]).sqrt() == [2.0]
"""
SOURCES = """
tiny:
  title: A tiny document
  where: https://example.org/tiny
  parts: {all: All of it}
"""


ROWS = 4
"""How many rows of one written program a sample has: they differ in a word or a number."""


def sample_of(cases: Iterable[Case]) -> list[Case]:
    """All written programs, and of the generated ones, which use few constructs, a few."""
    cases = list(cases)
    programs: dict[str, list[Case]] = {}
    for case in cases:
        if not case.generated:
            programs.setdefault(case.id.partition("[")[0], []).append(case)
    written = [case for rows in programs.values() for case in rows[:: -(-len(rows) // ROWS)]]
    return written + [case for case in cases if case.generated][::27]


def make_tiny_spec(folder: Path, chapter: str = CHAPTER) -> Path:
    """A specification folder with our own tables and a chapter of nine cases."""
    (folder / "behaviors").mkdir(parents=True)
    for name in ("vocabulary", "features", "errors", "retired"):
        shutil.copy(SPEC / f"{name}.yaml", folder)
    (folder / "sources.yaml").write_text(SOURCES, "utf-8")
    (folder / "behaviors" / "tiny.yaml").write_text(chapter, "utf-8")
    return folder


OF_PROGRAMS = """
title: Tiny
introduction: Programs, one each.
behaviors:
  - id: tiny.all
    statement: A program MUST be possible.
    level: documented
    sources: [tiny#all]
    refuses: an error of the program's own
    cases:
"""


def spec_of_programs(folder: Path, programs: Mapping[str, str]) -> Path:
    """A specification of one behavior, with a case of this name for each program."""
    chapter = OF_PROGRAMS
    for name, program in programs.items():
        chapter += f"      {name}: |\n{indent(dedent(program).strip(), ' ' * 8)}\n"
    return make_tiny_spec(folder, chapter)


def verdicts_on(impl: str, spec: Path, **options: Any) -> dict[str, Verdict]:
    """The verdict on each case, by the case's name and in the order of the cases."""
    session = open_session(Options(impl, **options), spec)
    try:
        return {case.name: session.run_case(case) for case in session.cases()}
    finally:
        session.close()


def hold(impl: str, spec: Path, journal: Path, **options: Any) -> Journal:
    """Run every case on an engine as `gradspec run` does, in this process."""
    session = open_session(Options(impl, **options), spec)
    try:
        return journal_of(session, journal)
    finally:
        session.close()


def journal_of(session: Session, path: Path) -> Journal:
    """Run every case of a session into a journal, and read it back."""
    header = header_of(session.identity, session.spec, session.options.shown(), session.known)
    writer = JournalWriter(path, header)
    cases = session.cases()
    for case in cases:
        writer.begin(case.id)
        writer.write(session.run_case(case))
    writer.finish(len(cases))
    return read_journal(path)


def verdicts_of(journal: Journal) -> dict[str, str]:
    """Case ids to verdicts; a case with two verdicts is a fault of the suite."""
    table = {verdict.case: verdict.verdict for verdict in journal.verdicts}
    assert len(table) == len(journal.verdicts)
    return table


def environment(**more: str) -> dict[str, str]:
    """The environment for a process of its own: one where the liars can be imported."""
    return {**os.environ, "PYTHONPATH": str(LIARS), "NO_COLOR": "1", "COLUMNS": "200", **more}


def gradspec(
    *arguments: object, cwd: Path, timeout: float = 60, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the `gradspec` command in a process of its own."""
    command = ["gradspec.conformance.cli", *map(str, arguments)]
    return run_module(command, cwd, environment(**more), timeout)


def run_pytest(*arguments: object, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the suite under pytest in a process of its own, with no configuration but its own."""
    (cwd / "pytest.ini").write_text("[pytest]\n", "utf-8")
    options = ("-c", cwd / "pytest.ini", "--rootdir", cwd, "-p", "no:hypothesispytest")
    command = ["pytest", *map(str, (SUITE, *options, *arguments))]
    return run_module(command, cwd, environment(**more), timeout=60)


def run_python(
    *arguments: object, cwd: Path, timeout: float = 60, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run this interpreter in a process of its own."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd, env=environment(**more), capture_output=True, text=True, timeout=timeout, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def recorded_answers(spec: Path) -> dict[str, Any]:
    """What the honest engine answers to each case, in the form of the protocol."""
    session = open_session(Options("module:honest"), spec)
    answers = {}
    for case in load_spec(spec).cases:
        found: Observations = session.engine.run(case.program, 10.0)
        end = found.end
        answers[case.id] = {
            "observed": [list(pair) for pair in found.observed],
            "end": {"how": end.how, "kind": end.kind, "type": end.type, "message": end.message},
        }
    return json.loads(json.dumps(answers))


def call(*arguments: object) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(
        main, [str(argument) for argument in arguments], catch_exceptions=False
    )


def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    """The schema of this name; others are found by their file's name."""

    def read(uri: str) -> Any:
        return json.loads((SPEC / "schema" / uri.rpartition("/")[2]).read_text("utf-8"))

    return jsonschema_rs.Draft202012Validator(read(name), retriever=read)


def renamed(journal: Path, copy: Path, engine: str) -> Path:
    """A journal as if it were of another engine."""
    header, *rest = journal.read_text("utf-8").splitlines()
    changed = json.loads(header)
    changed["engine"]["name"] = engine
    copy.write_text("\n".join([json.dumps(changed), *rest]) + "\n", "utf-8")
    return copy


def strict(text: str) -> Any:
    """JSON that every reader takes: NaN and Infinity are none."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


def decoded(text: str) -> list[int]:
    """A column of the report's page, as its script reads it."""
    column: list[int] = []
    high = 0
    for code in text.encode("ascii"):
        if code >= ord("]"):
            high = 34 * high + code - ord("]")
        else:
            column.append(
                max(column, default=-1) + 1 if code == ord("!") else 56 * high + code - ord("#")
            )
            high = 0
    return column
