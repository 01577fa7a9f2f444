"""Mutants make the mistakes that they say, in a process of their own."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from gradspec.conformance.checking.adequacy.source import reference_folder
from gradspec.spec.load import load_spec

pytest.importorskip("coverage")
pytest.importorskip("cosmic_ray")

from . import mutation_score
from .mutation_score import Mutant, RemoveStatement, ReturnNone, drawn, mutate_code, noticed_by

PRINTING = reference_folder() / "tensor" / "printing.py"
SOURCE = """
def f(a, b):
    a.b = c = 1
    a = b
    a += 1
    g(a)
    if a:
        raise b
    return a
"""


def removed(operator: RemoveStatement) -> list[str]:
    """The lines that an operator changes, each with what it makes of it."""
    found = []
    while made := mutate_code(SOURCE, operator, len(found)):
        pairs = zip(SOURCE.splitlines(), made.splitlines(), strict=True)
        found += [f"{a.strip()} -> {b.strip()}" for a, b in pairs if a != b]
    return found


def test_statements_are_removed() -> None:
    gone = ["a.b = c = 1", "a += 1", "g(a)", "raise b"]
    assert removed(RemoveStatement()) == [f"{line} -> pass" for line in gone]
    assert removed(ReturnNone()) == ["return a -> return None"]


def test_what_annotations_say_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text("def f(a: int | None = 3) -> int | str:\n    b: int | str\n    return a - 5\n")
    sources = [mutant.source.splitlines() for mutant in drawn([path], random.Random(0))]
    assert len(sources) > 2
    for lines in sources:
        assert "a: int | None" in lines[0]
        assert "-> int | str" in lines[0]
        assert lines[1] == "    b: int | str"


def changed(old: str, new: str) -> Mutant:
    source = PRINTING.read_text()
    assert old in source
    return Mutant(str(PRINTING), 1, "", source.replace(old, new))


@pytest.mark.parametrize(
    ("mutant", "found"),
    [
        (lambda: changed("PRECISION = 4", "PRECISION = 4 + 0"), None),
        (lambda: changed("PRECISION = 4", "PRECISION = 5"), "legacy.print-values/"),
        (lambda: changed("import math", "import no_such_module"), "import"),
        (lambda: changed("def to_text(", "while True: pass\ndef to_text("), "import"),
    ],
    ids=["none", "wrong", "not to be imported", "endless"],
)
def test_a_mistake_is_noticed(
    mutant: Callable[[], Mutant], found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutation_score, "PATIENCE", 5.0)
    spec = load_spec()
    cases = [case for case in spec.cases if case.id.startswith("legacy.print-values/")]
    assert cases
    name = noticed_by(mutant(), spec, cases)
    assert name is found if found is None else name is not None and name.startswith(found)
