"""Mutants make the mistakes that they say, in a process of their own."""

from __future__ import annotations

import ast

import gradspec.reference_impl as reference
import pytest

pytest.importorskip("torch")
pytest.importorskip("coverage")

from . import mutation_score
from .mutation_score import ENGINE, apply, change_of, drawn, nodes, noticed

MISTAKES = {
    "if a < b:\n    c()": ["if not a < b:\n    c()", "if a <= b:\n    c()", "if a < b:\n    pass"],
    "return not a": ["return None", "return not not a"],
    "return a[0] * b and True": [
        "return None",
        "return a[0] * b or True",
        "return a[0] / b and True",
        "return a[1] * b and True",
        "return a[0] * b and False",
    ],
    "a.b = c is d": ["pass", "a.b = c is not d"],
    "raise a(1 + 1)": ["pass"],
    "a = b": [],
}


@pytest.mark.parametrize("body", MISTAKES)
def test_mistakes(body: str) -> None:
    source = "def f():\n" + "\n".join(f"    {line}" for line in body.split("\n"))
    found = []
    for number, node in enumerate(nodes(ast.parse(source))):
        if change := change_of(node):
            tree = ast.parse(source)
            apply(change, list(nodes(tree))[number])
            found.append(ast.unparse(tree.body[0].body))  # type: ignore[attr-defined]
    assert sorted(found) == sorted(MISTAKES[body])


def test_a_mutant_is_noticed_and_leaves_this_process_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mutation_score, "PATIENCE", 2.0)  # some mutants never end

    def prints() -> bool:
        return repr(reference.tensor([1.0, 2.5])) == "tensor([1.0000, 2.5000])"

    path = ENGINE / "tensor" / "printing.py"
    lines = {(str(path), line) for line in range(len(path.read_text().split("\n")))}
    mutants = list(drawn(lines, seed=0))[:15]
    found = [noticed(mutant, [prints]) for mutant in mutants]
    assert any(found)
    assert not all(found)
    assert prints()
