"""Every file and name in the tables of ARCHITECTURE.md exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
STEPS = re.findall(r"\| `([\w/.]+\.\w+)` \| (?:`(\w+)` )?\|$", TEXT, re.MULTILINE)


def defined_in(path: Path) -> set[str]:
    """The functions, classes and variables that a module defines at its top."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def test_every_row_of_a_journey_is_a_step() -> None:
    journeys = TEXT[TEXT.index("## An operation") :]
    rows = re.findall(r"^\| (?!what happens)", journeys, re.MULTILINE)
    assert len(STEPS) == len(rows) > 30


def test_each_step_is_where_the_map_says() -> None:
    for file, name in STEPS:
        assert (ROOT / file).is_file(), file
        assert not name or name in defined_in(ROOT / file), f"{file} defines no {name}"


def test_paths_in_the_text_exist() -> None:
    for path in re.findall(r"`((?:adapters|conformance|reference_impl|spec|tests)/[\w/.]*)`", TEXT):
        assert (ROOT / path).exists(), path
