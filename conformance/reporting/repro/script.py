"""Puts a script together: a head, the imports, the functions it needs, the program."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Collection, Mapping

from gradspec.spec.model import Case
from gradspec.spec.program.python_form import global_name
from gradspec.spec.program.syntax import fresh
from gradspec.spec.program.vocabulary import Kind

from ...text import printable
from . import helpers
from .exact import bound, rename
from .names import Names, torch_like_module
from .writer import Writer, is_a

HOLDS = "every assert holds"


def script_of(
    case: Case,
    impl: str,
    kinds: Mapping[str, Kind] | None = None,
    device: str = "cpu",
    imported: str | None = None,
    python: str | None = None,
) -> str:
    """A Python script that runs one case and asserts what is expected.

    For `module:NAME`, `torch` and `reference` it needs nothing but the engine; for an engine whose
    names an adapter maps it needs gradspec for that adapter. `kinds` define the errors and warnings;
    without them, any error or warning is accepted where one is expected. On another `device` than the
    CPU, `imported` is the module or file that registers it. `python` is the interpreter that will run the
    script, if it is not this one: it may have no gradspec.
    """
    module = torch_like_module(impl)
    lowered = [fresh(statement) for statement in case.program.tree.body]
    rename(lowered)
    engine = Names(bound(ast.Module(lowered, [])), impl, module)
    writer = Writer(case, engine, kinds or {})
    body = [*writer.statements(lowered), *writer.at_the_end()]
    for statement in body:
        _reach_the_script(statement)
    program = ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))
    head = [
        line for text in (case.id, case.behavior.statement, case.where) for line in _comment(text)
    ]
    if python:
        head += _comment(f"Run it with {python}.")
    if writer.unreached:
        program = f"unreached = {writer.unreached!r}\n{program}"
    used = _helpers_for(case, engine, program, writer.shapes)
    text = f"{used}\n{program}"
    imports = [name for name in helpers.IMPORTS if f"{name}." in text]
    imports = [f"import {name}" for name in (*imports, *(["cmath"] if "cmath." in text else []))]
    imports = [line for line in imports if _names(line.split()[1], text)]
    if "ThreadPoolExecutor" in text:
        imports.append("from concurrent.futures import ThreadPoolExecutor")
    first = "\n".join([*sorted(imports), *engine.imports_on(device, imported, bool(python))])
    if "def " in used:
        used = f"\n{used}\n"
    parts = ["\n".join(head), first, used, program, f'print("{HOLDS}")']
    return "\n\n".join(part for part in parts if part) + "\n"


def _comment(text: str) -> list[str]:
    """A text as comment lines, out of which nothing in it can break."""
    words = " ".join(printable(text).split())
    return textwrap.wrap(
        words, 96, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip


def _nests(word: str, program: str) -> bool:
    """Whether a word is called by a function that it is given itself."""

    def calls(tree: ast.AST) -> list[ast.Call]:
        return [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == word
        ]

    tree = ast.parse(program)
    named = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    given = [call.args[0] for call in calls(tree) if call.args]
    return any(
        calls(named.get(function.id, function) if isinstance(function, ast.Name) else function)
        for function in given
    )


def _helpers_for(case: Case, engine: Names, program: str, shapes: bool) -> str:
    """The functions that the script needs, in the order in which they use one another."""
    words = case.program.words
    parts: list[str] = []
    if engine.mediated:
        for name in ("get_attribute", "set_attribute", "get_method", "delete_attribute"):
            if _names(name, program):
                parts.append(f"{name} = adapter.{name}")
        own = {"text_of"} | set(helpers.RENAMED) - {"text_of"}
        for word in words:
            if word not in own or word == "text_of":
                parts.append(f"{global_name(word)} = adapter.resolve({word!r})")
        if "text_of" in program and "text_of" not in words:
            parts.append("text_of = adapter.text_of")
    else:
        parts += [helpers.WORDS[word] for word in words if word in helpers.WORDS]
        calls = len(re.findall(r"\b(?:vjp|jvp)\(", program))
        nested = calls > 1 or "higher-order" in case.program.features or "requires_grad" in program
        if {"vjp", "jvp"} & set(words) and nested and not engine.lacks("autograd.grad"):
            parts.append(helpers.DEPTH)
        if "vjp" in words:
            if engine.lacks("autograd.grad"):
                keywords = ", dtype=x.dtype" if "dtypes" in case.program.features else ""
                text = helpers.VJP_BY_BACKWARD.replace("KEYWORDS", keywords)
                if not engine.takes_gradient:
                    text = text.replace(*helpers.WITHOUT_GRADIENT)
                parts.append(text)
            else:
                text = helpers.NESTED_VJP if nested else helpers.VJP
                parts.append(text if engine.has_view_as else text.replace(*helpers.WITHOUT_VIEW_AS))
        without_levels = engine.lacks("autograd.forward_ad.dual_level")
        if "jvp" in words and (without_levels or _nests("jvp", program)):
            parts.append(helpers.NESTED_JVP)
        elif "jvp" in words:
            called = (
                f"within(function, {helpers.DUALS})" if nested else f"function(*{helpers.DUALS})"
            )
            text = helpers.JVP.replace("CALLED", called)
            if engine.elsewhere:
                text = text.replace("    forward =", f"{helpers.WITHOUT_LEVELS}    forward =", 1)
            parts.append(text)
    if _names("trace", program) or _names("notes", program):
        parts.append(helpers.TRACE)
    if _names("run_in_thread", program):
        parts += _run_in_thread(words, engine)
    for name, text in (("same", helpers.SAME), ("close", helpers.CLOSE)):
        if _names(name, program):
            copies = case.generated and engine.impl == "torch"
            text = text.replace(helpers.READ, helpers.READ_COPIES) if copies else text
            first = helpers.ONE_NUMBER if engine.scalar else helpers.SHAPES if shapes else ""
            parts.append(text.replace("    SHAPES\n", first))
    if shapes and not engine.scalar and any(_names(name, program) for name in ("same", "close")):
        parts.append(helpers.SHAPE_OF)
    if _names("number", program):
        parts.append(helpers.NUMBER)
    if _names("tells", program):
        parts.append(helpers.TELLS)
    if "stop" not in words and any(_names("Stopped", part) for part in (program, *parts)):
        parts.insert(0, helpers.STOPPED)
    if any(_names("numbers_of", part) for part in (program, *parts)):
        dicts = any(is_a(expectation.expected, "dict") for expectation in case.expectations)
        if engine.mediated:
            parts.append(helpers.VALUES_BY_ADAPTER)
        elif engine.lacks("Tensor.tolist"):
            parts.append(helpers.VALUES_WITHOUT_TOLIST)
        else:
            parts.append(helpers.VALUES_OF_DICTS if dicts else helpers.VALUES)
    lines = [part for part in parts if not part.startswith("\n")]
    functions = [part.strip("\n") for part in parts if part.startswith("\n")]
    text = "\n\n\n".join((["\n".join(lines)] if lines else []) + functions)
    return text.replace("ENGINE", engine.name)


def _run_in_thread(words: Collection[str], engine: Names) -> list[str]:
    """What runs a block in a thread, and gives that its number if the program asks for it."""
    if "this_thread" not in words:
        return [helpers.THREAD]
    if "concurrently" in words:
        return [helpers.RUN_IN_THREAD]
    resolved = 'concurrently = adapter.resolve("concurrently")'
    return [resolved if engine.mediated else helpers.CONCURRENCY, helpers.RUN_IN_THREAD]


def _names(name: str, text: str) -> bool:
    """Whether a text uses this name, not as an attribute."""
    return re.search(rf"(?<![\w.]){name}\b", text) is not None


def _reach_the_script(statement: ast.AST) -> None:
    """Let a thread's block at the top of the script assign the script's own variables."""
    if isinstance(statement, ast.FunctionDef):
        statement.body = [
            ast.Global(item.names) if isinstance(item, ast.Nonlocal) else item
            for item in statement.body
        ]
        return
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            _reach_the_script(child)
