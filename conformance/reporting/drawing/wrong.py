"""Which variables of a program an engine gets wrong, by the line that failed."""

from __future__ import annotations

import ast

from gradspec.spec.model import Case

LONGEST = 18


def wrong_names(case: Case, line: int, found: str) -> dict[str, str]:
    """The variables that the assertion on a line is about, with what the engine found of them."""
    for expectation in case.expectations:
        if expectation.line == line and expectation.source.startswith("assert "):
            names = _names(expectation.source)
            told = found if len(found) <= LONGEST and len(names) == 1 else ""
            return dict.fromkeys(names, told)
    return {}


def _names(source: str) -> list[str]:
    """The variables on the engine's side of an assertion, those with a gradient first and alone."""
    test = ast.parse(source).body[0]
    assert isinstance(test, ast.Assert)
    side = test.test.left if isinstance(test.test, ast.Compare) else test.test
    grads = [
        node.value.id
        for node in ast.walk(side)
        if isinstance(node, ast.Attribute)
        and node.attr == "grad"
        and isinstance(node.value, ast.Name)
    ]
    names = [node.id for node in ast.walk(side) if isinstance(node, ast.Name)]
    return list(dict.fromkeys(grads or names))
