"""The program language: which part of Python's syntax a program may use, and with which names.

`parse_program` reads the text of a program and rejects, with file, line and column, everything
that is not on the lists below. What is left cannot import, reach an interpreter's internals, or
name anything outside the vocabulary.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping

from ..problems import Place, Problem
from .parsed import Bound, Enough, Parsed
from .statements import ProgramChecker
from .syntax import MAX_TEXT
from .vocabulary import Vocabulary


def parse_program(
    text: str,
    vocabulary: Vocabulary,
    bindings: Mapping[str, Bound],
    locate: Callable[[int, int], Place],
    problems: list[Problem],
    first_line: int = 1,
) -> Parsed | None:
    """Parse and check one program; each fault is added to `problems`, up to `MAX_PROBLEMS`.

    `bindings` are the names that the case's table gives, each replaced by its expression;
    `first_line` is what the text's first line is called, in the tree and everywhere; `locate` turns
    such a line and a column (from 0, in bytes) into a place in the file.
    Returns None when the text is not even a program.
    """
    start = locate(first_line, 0)
    if len(text) > MAX_TEXT:
        problems.append(
            Problem(start, f"the program has {len(text)} characters; {MAX_TEXT} are allowed")
        )
        return None
    if "\t" in text:
        ahead = text[: text.index("\t")]
        column = len(ahead) - ahead.rfind("\n") - 1
        place = locate(first_line + ahead.count("\n"), column)
        problems.append(Problem(place, "found a tab", "programs are indented with spaces"))
        return None
    tree = _syntax_tree(text, first_line, locate, problems)
    if tree is None:
        return None
    if not tree.body:
        problems.append(Problem(start, "the program is empty"))
        return None
    before = len(problems)
    checker = ProgramChecker(vocabulary, bindings, locate, problems)
    try:
        checker.check(tree)
    except Enough:
        pass
    except RecursionError:
        problems.append(Problem(start, "the program is nested too deeply"))
    return None if len(problems) > before else checker.parsed


def parse_expression(text: str) -> ast.expr | None:
    """The expression that `text` is, or None. Raises `RecursionError` where it is nested too deeply
    to be read; how deep that is depends on Python's version."""
    if len(text) > MAX_TEXT:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    except MemoryError as error:  # what the parser of older versions raises
        raise RecursionError from error


def _syntax_tree(
    text: str, first_line: int, locate: Callable[[int, int], Place], problems: list[Problem]
) -> ast.Module | None:
    numbered = "\n" * (first_line - 1) + text  # several times as fast as ast.increment_lineno
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(numbered)
    except SyntaxError as error:
        line = max(error.lineno or 1, first_line)
        before = "".join(numbered.splitlines()[line - 1 : line])[: (error.offset or 1) - 1]
        place = locate(line, len(before.encode()))  # as the tree does, `locate` counts bytes
        problems.append(Problem(place, f"this is not a program: {error.msg}"))
    except (RecursionError, MemoryError):
        problems.append(Problem(locate(first_line, 0), "the program is nested too deeply"))
    except ValueError as error:
        problems.append(Problem(locate(first_line, 0), f"this is not a program: {error}"))
    return None
