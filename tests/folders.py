"""Specification folders for tests: our own tables, and whatever else a test writes."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.running.runner import Options, open_session
from gradspec.spec.load import load_through
from gradspec.spec.model import Case, Spec
from gradspec.spec.problems import Problem, SpecError
from gradspec.spec.reading.cache import Cache
from gradspec.spec.reading.folder import ROOT


class _Tables(Cache):
    """Reads the tables beside the chapters once for all tests that do not change them."""

    def __init__(self) -> None:
        super().__init__(None)
        self.kept: dict[str, bytes] = {}

    def read(self, name: str, key: str) -> bytes | None:
        return self.kept.get(key) if name == "tables" else None

    def write(self, name: str, key: str, content: bytes) -> None:
        if name == "tables":
            self.kept[key] = content


_TABLES = _Tables()
TABLES = ("vocabulary", "features", "errors", "sources", "retired")


def make_folder(root: Path, files: dict[str, str | bytes]) -> Path:
    """A specification folder with our own tables and these files, which may replace tables."""
    (root / "behaviors").mkdir(parents=True)
    for name in TABLES:
        shutil.copy(ROOT / f"{name}.yaml", root)
    for name, content in files.items():
        raw = content.encode("utf-8") if isinstance(content, str) else content
        (root / name).write_bytes(raw)
    return root


def load_folder(root: Path) -> Spec:
    """The specification in a folder that a test made."""
    return load_through(_TABLES, root)


def problems_of(root: Path) -> list[Problem]:
    """What is wrong with a folder; nothing but `SpecError` may come out of loading it."""
    try:
        load_folder(root)
    except SpecError as error:
        return error.problems
    return []


def behavior(
    *cases: str, id: str = "sample.one", statement: str = "It MUST be so.", more: str = ""
) -> str:
    """One behavior's entry; each of `cases` is the text of a case, or a program alone."""
    lines = [f"- id: {id}", f"  statement: {statement}"]
    if "level:" not in more:
        lines.append("  level: observed")
    lines += [f"  {line}" for line in dedent(more).strip().splitlines()]
    lines.append("  cases:")
    for number, case in enumerate(cases, start=1):
        text = dedent(case).strip("\n")
        if text.startswith(("each:", "program:", "tolerance:")):
            lines.append(f"    case {number}:\n" + indent(text, " " * 6))
        else:
            lines.append(f"    case {number}: |\n" + indent(text, " " * 6))
    return "\n".join(lines) + "\n"


def chapter(*behaviors: str, name: str = "sample", tables: str = "") -> dict[str, str]:
    """A chapter's file, to be given to `make_folder`."""
    text = "title: Sample\nintroduction: A chapter for a test.\n"
    if tables:
        text += "tables:\n" + indent(dedent(tables).strip("\n"), "  ") + "\n"
    text += "behaviors:\n" + "".join(indent(entry, "  ") for entry in behaviors)
    return {f"behaviors/{name}.yaml": text}


def spec_of(root: Path, *behaviors: str) -> Spec:
    """A specification of one chapter."""
    return load_folder(make_folder(root, dict(chapter(*behaviors))))


def case_of(root: Path, program: str) -> Case:
    """The only case of a specification of one program."""
    (case,) = spec_of(root, behavior(program)).cases
    return case


def verdict_of(root: Path, impl: str, **options: Any) -> Verdict:
    """The verdict on the only case of a folder."""
    session = open_session(Options(impl, **options), root)
    try:
        (case,) = session.cases()
        return session.run_case(case)
    finally:
        session.close()
