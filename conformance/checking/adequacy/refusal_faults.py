"""A fault of what the reference refuses: its operations raise no error of their own any more. Each call
in `raises:` of the catalogue must notice it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType

from . import switches
from .source import reference_folder

NOT_REFUSED = "error, not raised"
OPERATIONS = ("backend", "engine", "graph", "nn", "ops", "tensor")
"""The packages whose errors can be left out: the others' say how the engine itself is used."""
RAISES = f"__import__({__name__!r}, fromlist=['raises']).raises()"

refuses = True
"""Whether errors are raised."""


def raises() -> bool:
    """Whether an error is raised."""
    return refuses or switches.aside


class _Guarding(ast.NodeTransformer):
    """Puts a condition before each error of its own that the engine raises."""

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        if node.exc is None or hasattr(builtins, ast.unparse(node.exc).partition("(")[0]):
            return node  # passed on, or Python's own
        test = ast.parse(RAISES, mode="eval").body
        return ast.copy_location(ast.If(test=test, body=[node], orelse=[]), node)


@cache
def guarded(path: str) -> CodeType:
    """The code of a module of the reference, whose errors can be left out."""
    tree = ast.parse(Path(path).read_text("utf-8"))
    if Path(path).relative_to(reference_folder()).parts[0] in OPERATIONS:
        tree = ast.fix_missing_locations(_Guarding().visit(tree))
    return compile(tree, path, "exec")


def compile_all() -> None:
    """Make the code of all modules, which processes that are forked later need not make again."""
    for path in reference_folder().rglob("*.py"):
        guarded(str(path))


@contextmanager
def nothing_refused() -> Iterator[None]:
    """In this block no operation raises an error of its own."""
    global refuses
    refuses = False
    try:
        yield
    finally:
        refuses = True
