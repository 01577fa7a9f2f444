"""Makes a script of `gradspec repro` fail exactly if the verdict does: which comparisons need care,
which messages identify the kind of an error, and which names are reserved."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gradspec.adapters.framework.classify import REFUSED, Pattern, patterns_of
from gradspec.adapters.framework.scalar import ScalarEngine
from gradspec.spec.program.vocabulary import Kind
from gradspec.spec.values import Plain, number_of

from . import helpers

ORDINARY = "ordinary"
"""Any exception type, if the message identifies the kind, except those in `UNTOLD`."""


# --- values ---


def confusable(plain: Plain) -> bool:
    """Whether Python's == calls an expected value equal to what the judge does not: True and 1, or
    tensors without elements of different shapes."""
    if isinstance(plain, bool):
        return True
    if isinstance(plain, dict):
        content = next(iter(plain.values()))
        if isinstance(content, list) and "complex" not in plain:
            return not content or any(map(confusable, content))
    if isinstance(plain, list):  # an item of a dict
        return any(map(confusable, plain))
    return number_of(plain) in (0, 1)


def may_be_empty(plain: Plain) -> bool:
    """Whether an expected value has an empty list, which several shapes could match."""
    if isinstance(plain, dict) and "complex" not in plain:
        content = next(iter(plain.values()))
        return isinstance(content, list) and (not content or any(map(may_be_empty, content)))
    return isinstance(plain, list) and any(map(may_be_empty, plain))


# --- kinds of errors and warnings ---


def rules_for(
    wanted: Collection[str], own: Sequence[Pattern], kinds: Mapping[str, Kind], lenient: bool
) -> list[tuple[str, str]]:
    """The exception types and wordings by which the judge recognizes these kinds.

    `own` are the rules of the engine's adapter, which are tried first. A `lenient` judge, for an
    engine that cannot classify every error, also accepts messages that match no kind, and messages
    of these kinds whatever the exception's type.
    """
    found = [(rule.exception, rule.message) for rule in own if rule.kind in wanted]
    data = [
        {"name": kind.name, "exceptions": kind.exceptions, "patterns": kind.patterns}
        for kind in kinds.values()
        if kind.name in wanted
    ]
    for rule in patterns_of(data):
        type_of = "Stopped" if rule.exception == "ProgramError" else rule.exception
        warning = kinds[rule.kind].sort == "warning"
        found.append((type_of or ("" if warning else ORDINARY), rule.message))
    if lenient:
        told = [kind for kind in kinds.values() if kind.name in wanted and kind.sort == "refusal"]
        found += [(ORDINARY, message) for kind in told for message in kind.patterns]
    if lenient or REFUSED in wanted:
        others = [
            pattern
            for kind in kinds.values()
            if kind.sort == "refusal" and kind.name not in wanted and not kind.exceptions
            for pattern in kind.patterns
        ]
        found.append((ORDINARY, rf"\A(?!.*(?:{'|'.join(others)}))" if others else ""))
    return list(dict.fromkeys(found))


NOT_OF_THE_ENGINE = {"wrong-type": "TypeError", "read-only": "AttributeError", "user": "Stopped"}
"""The errors that Python raises for invalid calls and assignments, and those that programs raise."""


def carried_rules(wanted: Collection[str]) -> list[tuple[str, str]]:
    """As `rules_for`, for an engine whose errors carry their kind."""
    own = [(NOT_OF_THE_ENGINE[kind], "") for kind in wanted if kind in NOT_OF_THE_ENGINE]
    return [("kind", kind) for kind in wanted] + own


def errors_carry_kinds(impl: str) -> bool:
    """Whether `error.kind` is the kind of an engine's error."""
    return ".py:" not in impl and getattr(_adapter_of(impl), "errors_carry_kinds", False)


def is_scalar(impl: str) -> bool:
    """Whether the engine's tensors are single numbers. An adapter of the user's, which only the script runs,
    names the base that it is built on; it may be on another machine."""
    path = Path(impl.rpartition(":")[0])
    if path.suffix == ".py":
        return path.is_file() and ScalarEngine.__name__ in path.read_text("utf-8", "replace")
    adapter = _adapter_of(impl)
    return isinstance(adapter, type) and issubclass(adapter, ScalarEngine)


def own_rules(impl: str) -> tuple[Sequence[Pattern], bool] | None:
    """The rules of an engine's adapter, and whether the judge is lenient with it; None if they
    are in a file of the user's, which only the script runs."""
    if ".py:" in impl:
        return None
    adapter = _adapter_of(impl)
    return tuple(getattr(adapter, "patterns", ())), not getattr(adapter, "exact_kinds", False)


def _adapter_of(impl: str) -> Any:
    """The adapter's class."""
    from gradspec.adapters.framework.registry import adapter_target, load_adapter
    from gradspec.adapters.framework.torch_like import ModuleEngine

    return ModuleEngine if impl.startswith("module:") else load_adapter(adapter_target(impl))


# --- names ---


def _global_names(text: str) -> Iterator[str]:
    """The names that a helper's text defines at the top, or takes from there."""
    pending = [symtable.symtable(text.replace("KEYWORDS", ""), "helpers", "exec")]
    while pending:
        table = pending.pop()
        top = table.get_type() == "module"
        yield from (item.get_name() for item in table.get_symbols() if top or item.is_global())
        pending += table.get_children()


def _texts() -> list[str]:
    """The helpers that are functions."""
    return [value for value in vars(helpers).values() if isinstance(value, str) and "def " in value]


def _kept() -> frozenset[str]:
    texts = (*_texts(), *helpers.WORDS.values())
    found = {name for text in texts for name in _global_names(text)}
    return frozenset(found | helpers.WRITTEN | set(helpers.IMPORTS))


KEPT = _kept()
"""The names that scripts use beside those of the program."""


def bound(tree: ast.AST) -> set[str]:
    """The names that a program gives to variables, parameters, functions and classes; not to methods,
    which the engine calls by their names."""
    names: set[str] = set()
    methods = _methods(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node not in methods:
            names.add(node.name)
    return names


def _methods(tree: ast.AST) -> set[ast.AST]:
    return {part for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for part in node.body}


LOCAL = frozenset(
    name for text in _texts() for name in bound(ast.parse(text.replace("KEYWORDS", "")))
)
"""The names that helpers give to variables and parameters, which would hide an engine of that name."""


def rename(body: Iterable[ast.stmt]) -> None:
    """Give another name to what has the name of something that the script needs, in place."""
    tree = ast.Module(list(body), [])
    taken = bound(tree)
    new: dict[str, str] = {}
    for name in sorted(taken & KEPT):
        other = f"{name}_"
        while other in taken:
            other += "_"
        new[name] = other
        taken.add(other)
    if not new:
        return
    methods = _methods(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = new.get(node.arg, node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node not in methods:
            node.name = new.get(node.name, node.name)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            _rename_keywords(node, new, taken)


def _rename_keywords(call: ast.Call, new: Mapping[str, str], taken: Collection[str]) -> None:
    """The keywords of a call of the program's own function are the names of its parameters."""
    assert isinstance(call.func, ast.Name)
    if call.func.id not in taken:
        return
    for keyword in call.keywords:
        if keyword.arg is not None:
            keyword.arg = new.get(keyword.arg, keyword.arg)
        for key in getattr(keyword.value, "keys", ()) if keyword.arg is None else ():
            key.value = new.get(key.value, key.value)
