"""Measures how many mutants of the engine the scripts and the specification's cases notice.

A mutant is the engine with one small mistake: a comparison or an operator is swapped, a `not` is
dropped, a number is one more, a condition is negated, a statement is removed, or a function returns
None. A seed draws them from the lines that scripts run, equally from all packages. Each runs in a
forked process, where the scripts and cases that run its line are tried until one fails. Some mutants
behave as the engine does, so no score reaches 100 percent. Needs the `test` extra, and `os.fork`.

    python -m tests.reference.mutation_score                 # 200 mutants, in a few minutes
    python -m tests.reference.mutation_score 500 --seed=7    # more of them, and other ones
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import gc
import itertools
import os
import random
import select
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import coverage
import gradspec.reference_impl
from gradspec.conformance.judging.verdict import FAILED
from gradspec.conformance.running.runner import Options, open_session

from .replay import Seen
from .scripts_runner import REFERENCE, SCRIPTS, run, scripts

ENGINE = Path(gradspec.reference_impl.__file__).parent
PATIENCE = 20.0  # a script or case that takes longer than these seconds counts as failed
MOST = 300  # of the cases that run a line, so many are tried
PAIRS = "Lt LtE, Gt GtE, Eq NotEq, Is IsNot, In NotIn, Add Sub, Mult Div, Mod FloorDiv, And Or"
SWAPS: dict[type, Any] = {
    getattr(ast, one): getattr(ast, other)
    for pair in PAIRS.split(", ")
    for one, other in itertools.permutations(pair.split())
}
SKIPPED = ("defaults", "kw_defaults", "annotation", "returns", "decorator_list", "exc")
Check = Callable[[], bool]  # runs a script or a case, and says whether it passes


class Mutant(NamedTuple):
    """One mistake: a node, by its number in the walk over the file, and what is done to it."""

    path: str
    line: int
    number: int
    change: str


def change_of(node: ast.AST) -> str | None:
    """What can be done to a node."""
    if isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in SWAPS:
        return f"swap {type(node.op).__name__}"
    if isinstance(node, ast.Compare):
        return f"swap {type(node.ops[0]).__name__}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "drop not"
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return "other number"
    if isinstance(node, (ast.If, ast.IfExp)):
        return "negate condition"
    if isinstance(node, ast.Return) and node.value is not None:
        return "return None"
    sets = isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript))
    calls = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return "remove statement" if sets or calls or isinstance(node, (ast.AugAssign, ast.Raise)) else None


def apply(change: str, node: Any) -> None:
    """Make a mistake in a node."""
    if change == "remove statement":
        node.__class__ = ast.Pass
    elif change == "return None":
        node.value = ast.Constant(None)
    elif change == "negate condition":
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif change == "other number":
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif change == "drop not":
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()
    else:
        node.op = SWAPS[type(node.op)]()
    ast.fix_missing_locations(node)


def nodes(tree: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """Each node within functions, but for annotations, decorators and the wording of errors."""
    inside = inside or isinstance(tree, (ast.FunctionDef, ast.Lambda))
    for field, value in ast.iter_fields(tree):
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and field not in SKIPPED and not isinstance(node, ast.JoinedStr):
                if inside:
                    yield node
                yield from nodes(node, inside)


def drawn(lines: set[tuple[str, int]], seed: int) -> Iterator[Mutant]:
    """Mutants of these lines, in turn from each package."""
    packages: dict[str, list[Mutant]] = defaultdict(list)
    for path in sorted({path for path, _ in lines}):
        for number, node in enumerate(nodes(ast.parse(Path(path).read_text()))):
            line, change = getattr(node, "lineno", 0), change_of(node)
            if change and (path, line) in lines:
                package = Path(path).relative_to(ENGINE).parts[0]
                packages[package].append(Mutant(path, line, number, change))
    for some in packages.values():
        random.Random(seed).shuffle(some)
    for turn in itertools.zip_longest(*packages.values()):
        yield from filter(None, turn)


def codes(code: CodeType) -> dict[Any, CodeType]:
    """The code of each function of a file, by its name, its line, and its place on that line."""
    waiting, found, alike = [code], {}, Counter[Any]()
    for one in waiting:
        key = (one.co_qualname, one.co_firstlineno)
        found[*key, alike[key]] = one
        alike[key] += 1
        waiting += [part for part in one.co_consts if isinstance(part, CodeType)]
    return found


@functools.cache
def functions() -> dict[CodeType, list[FunctionType]]:
    """The engine's functions by their code."""
    gc.unfreeze()  # a run of the suite in this process hides what was there before from the collector
    found: dict[CodeType, list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename.startswith(str(ENGINE)):
            found[one.__code__].append(one)
    return found


def install(mutant: Mutant) -> None:
    """Make the mistake in this process, in every function that has the code."""
    tree, same = (ast.parse(Path(mutant.path).read_text()) for _ in range(2))
    apply(mutant.change, next(itertools.islice(nodes(tree), mutant.number, None)))
    old, new = (codes(compile(one, mutant.path, "exec")) for one in (same, tree))
    for key in old.keys() & new.keys():
        for function in functions()[old[key]] if old[key] != new[key] else ():
            function.__code__ = new[key]


def script_check(path: Path) -> Check:
    """A script passes if it prints what it prints on PyTorch."""
    seen = Seen(str(path))
    expected = [line.text for line in run(path, "torch", seen.note)]

    def check() -> bool:
        seen.asked.clear()
        return [line.text for line in run(path, REFERENCE, seen.replay)] == expected

    return check


def all_checks() -> dict[str, Check]:
    """The scripts and the specification's cases, by name; those of scripts end in `.py`."""
    found = {path.relative_to(SCRIPTS).as_posix(): script_check(path) for path in scripts()}
    session = open_session(Options("reference"))
    for case in session.cases():
        found[case.id] = lambda case=case: session.run_case(case).verdict not in FAILED  # type: ignore[misc]
    return found


def reach(checks: dict[str, Check]) -> dict[tuple[str, int], list[str]]:
    """Which checks run each line of the engine."""
    recorder = coverage.Coverage(source=[str(ENGINE)], data_file=None, config_file=False)
    for name, check in checks.items():
        recorder.start()
        recorder.switch_context(name)
        check()
        recorder.stop()
    data = recorder.get_data()
    files = {path: data.contexts_by_lineno(path) for path in data.measured_files()}
    return {(path, line): names for path, lines in files.items() for line, names in lines.items()}


def noticed(mutant: Mutant, checks: list[Check]) -> bool:
    """Whether one of the checks fails on a mutant, which lives in a process of its own."""
    functions()  # found once, and not in each child
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            install(mutant)
            for check in checks:
                os.write(writing, b"." if check() else b"!")
        os._exit(0)
    os.close(writing)
    text = b""
    while select.select([reading], [], [], PATIENCE)[0] and (more := os.read(reading, 4096)):
        text += more
        if b"!" in text:
            break
    os.close(reading)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return text != b"." * len(checks)


def main() -> None:
    """Print each mutant that nothing notices, and the scores."""
    parser = argparse.ArgumentParser(prog="python -m tests.reference.mutation_score")
    parser.add_argument("mutants", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    checks = all_checks()
    lines = reach(checks)
    by_scripts = {line for line, names in lines.items() if any(n.endswith(".py") for n in names)}
    score = Counter[str]()
    for mutant in itertools.islice(drawn(by_scripts, options.seed), options.mutants):
        names = lines[mutant.path, mutant.line]
        groups = [n for n in names if n.endswith(".py")], [n for n in names if not n.endswith(".py")]
        of_scripts, of_cases = (
            noticed(mutant, [checks[n] for n in some[:: len(some) // MOST + 1]]) for some in groups
        )
        score.update(mutants=1, scripts=of_scripts, cases=of_cases, either=of_scripts or of_cases)
        if not of_scripts and not of_cases:
            place = Path(mutant.path).relative_to(ENGINE)
            print(f"not noticed: {place}:{mutant.line} {mutant.change}", flush=True)
    for name in ("scripts", "cases", "either"):
        print(f"noticed by {name}: {score[name]} of {score['mutants']}")


if __name__ == "__main__":
    main()
