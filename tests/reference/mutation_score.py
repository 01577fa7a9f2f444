"""Measures how many mutants of the reference engine the specification's cases notice.

A mutant is the engine with one small mistake: an operator of Cosmic Ray replaced a comparison, an
arithmetic operation, a condition, a number or another part of one place, or one of the two operators
below removed a statement or what a function returns. A seed draws the places, equally from each
package. Each mutant is imported in a forked process, where the cases that run its statement are tried
until one does not pass. `mutants_explained.yaml` says why no case notices those that were read.

    pip install cosmic-ray
    python -m tests.reference.mutation_score                    # 100 mutants of each core package
    python -m tests.reference.mutation_score 50 --seed=7 func   # other ones, of one package

Needs coverage.py and `os.fork`.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import itertools
import os
import pickle
import random
import resource
import select
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import yaml
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from gradspec.adapters.framework.containment import set_aside
from gradspec.adapters.framework.registry import open_engine
from gradspec.conformance.checking.adequacy.child import start_child, status_of
from gradspec.conformance.checking.adequacy.source import reference_folder
from gradspec.conformance.running.runner import Options, Session, kinds_as_data
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case, Spec
from parso.python.tree import ExprStmt, Name

PACKAGES = ("tensor", "graph", "autograd", "func", "engine")
ENGINE = "gradspec.reference_impl"
EXPLAINED = Path(__file__).with_name("mutants_explained.yaml")
PATIENCE = 20.0  # a case that takes longer than these seconds does not pass
MOST = 5000  # so many of the cases that run a statement are tried
MEMORY = 8 * 2**30  # bytes that a mutant may use


class RemoveStatement(Operator):
    """Removes a call, an error, or an assignment that is more than a new name."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if node.parent is None or node.parent.type != "simple_stmt":
            return
        binds = isinstance(node, ExprStmt) and node.children[0].type == "name"
        binds = binds and (node.children[1].type == "annassign" or node.children[1] == "=")
        if node.type in ("expr_stmt", "atom_expr", "raise_stmt", "del_stmt") and not binds:
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        return Name("pass", node.start_pos, node.get_first_leaf().prefix)

    @classmethod
    def examples(cls) -> Iterable[Any]:
        return ()


class ReturnNone(RemoveStatement):
    """Returns None in the place of a value."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if node.type == "return_stmt" and node.children[1:] and node.children[1] != "None":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        return Name("return None", node.start_pos, node.get_first_leaf().prefix)


class Mutant(NamedTuple):
    """One mistake: where it is, the name of the operator, and the file with the mistake."""

    path: str
    line: int
    operator: str
    source: str

    @property
    def key(self) -> str:
        """The mistake, however many lines stand above it: where it is, and both forms of what differs."""
        original = Path(self.path).read_text()
        old, new = (
            [line.strip() for line in text.splitlines()] for text in (original, self.source)
        )
        while old and new and old[0] == new[0]:
            del old[0], new[0]
        while old and new and old[-1] == new[-1]:
            del old[-1], new[-1]
        around = [
            (node.end_lineno or 0, -first, node.name)
            for node in ast.walk(ast.parse(original))
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
            for first in [extent(node)[0]]
            if first <= self.line <= (node.end_lineno or 0)
        ]
        name = min(around, key=lambda one: one[0] + one[1])[2] if around else "(top)"
        place = Path(self.path).relative_to(reference_folder()).as_posix()
        return f"{place} {name}: {' '.join(old)} -> {' '.join(new)}"


def all_operators() -> list[tuple[str, Operator]]:
    """The operators that need no arguments, and their names without that of the plugin."""
    classes = {name.rpartition("/")[2]: get_operator(name) for name in operator_names()}
    made = [(name, one()) for name, one in sorted(classes.items()) if not one.arguments()]
    return [*made, ("RemoveStatement", RemoveStatement()), ("ReturnNone", ReturnNone())]


def meaning(source: str) -> str:
    """The source without annotations, which the engine never evaluates."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in {"annotation", "returns"} & set(node._fields):
            setattr(node, field, ast.Constant(None))
    return ast.dump(tree)


def drawn(files: Iterable[Path], draw: random.Random) -> Iterator[Mutant]:
    """Mutants of these files in random order: one at each place, with one of its operators."""
    operators = all_operators()
    places: dict[tuple[Path, Any], list[tuple[str, Operator, int]]] = {}
    for path in files:
        counts: Counter[str] = Counter()
        for node in ast_nodes(get_ast(path.read_text())):
            for name, operator in operators:
                for position in operator.mutation_positions(node):
                    places.setdefault((path, position), []).append((name, operator, counts[name]))
                    counts[name] += 1
    order = list(places.items())
    draw.shuffle(order)
    for (path, position), possible in order:
        name, operator, occurrence = draw.choice(possible)
        original = path.read_text()
        source = mutate_code(original, operator, occurrence)
        with contextlib.suppress(SyntaxError):  # some make no Python
            if meaning(source) != meaning(original):
                yield Mutant(str(path), position[0][0], name, source)


def open_session(spec: Spec) -> Session:
    """A session with the reference, which is imported here."""
    engine = open_engine("reference", kinds=kinds_as_data(spec))
    set_aside()
    return Session(Options("reference"), spec, engine)


class Reach:
    """Which cases run each line of the engine, and pass; what runs on import is of the case ""."""

    def __init__(self, spec: Spec) -> None:
        self.cases = {case.id: case for case in spec.cases}
        process, channel = start_child(lambda: pickle.dumps(measured(spec)))
        with os.fdopen(channel, "rb") as stream:
            found = stream.read()
        if status_of(process):
            sys.exit("the run of the suite under coverage failed")
        self.lines: dict[str, dict[int, list[str]]]
        self.passing: set[str]
        self.lines, self.passing = pickle.loads(found)
        self.nodes = cache(lambda path: list(ast.walk(ast.parse(Path(path).read_text()))))

    def of(self, mutant: Mutant) -> list[Case]:
        """The cases that run the statement; after them all others, if it also runs on import."""
        around = [
            (last - first, node, end)
            for node in self.nodes(mutant.path)
            if isinstance(node, (ast.stmt, ast.ExceptHandler))
            for first, last, end in [extent(node)]
            if first <= mutant.line <= last
        ]
        _, node, end = min(around, key=lambda one: one[0])
        start = extent(node)[0]
        lines = self.lines.get(mutant.path, {})
        found = {name for line in range(start, end + 1) for name in lines.get(line, ())}
        others = self.passing - found if "" in found else set()
        names = [name for some in (found - {""}, others) for name in mixed(some)]
        return [self.cases[name] for name in names[:MOST]]


def mixed(names: set[str]) -> list[str]:
    """First one case of each behavior, then a second one of each, and so on."""
    shuffled = sorted(names)
    random.Random(0).shuffle(shuffled)
    seen: Counter[str] = Counter()
    turns: dict[str, int] = {}
    for name in shuffled:
        behavior = name.partition("/")[0]
        turns[name] = seen[behavior]
        seen[behavior] += 1
    return sorted(shuffled, key=turns.__getitem__)


def measured(spec: Spec) -> tuple[dict[str, dict[int, list[str]]], set[str]]:
    """The cases by file and line, and those that pass, from a run of all of them under coverage."""
    sources = [str(reference_folder() / package) for package in PACKAGES]
    recorder = coverage.Coverage(source=sources, data_file=None, config_file=False)
    recorder.start()
    session = open_session(spec)
    passing = set()
    for case in session.cases():
        recorder.switch_context(case.id)
        if session.run_case(case).verdict == "pass":
            passing.add(case.id)
    recorder.stop()
    data = recorder.get_data()
    kept = passing | {""}
    lines = {
        path: {line: [n for n in names if n in kept] for line, names in found.items()}
        for path in data.measured_files()
        for found in [data.contexts_by_lineno(path)]
    }
    return lines, passing


def extent(node: Any) -> tuple[int, int, int]:
    """The first and the last line of a statement without those in it, and up to which line what it
    changes runs: a decorator or a default changes the whole function."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    body = getattr(node, "body", None)
    last = max(first, body[0].lineno - 1) if body else node.end_lineno
    return first, last, node.end_lineno if isinstance(node, ast.FunctionDef) else last


def import_instead(mutant: Mutant) -> None:
    """Have this process import the mutant."""
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        if loader.path == mutant.path:
            return compile(mutant.source, mutant.path, "exec")
        return original(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


def noticed_by(mutant: Mutant, spec: Spec, cases: list[Case]) -> str | None:
    """The first of these cases that does not pass on a mutant, None if all of them pass."""

    def attempt(writing: int) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        import_instead(mutant)
        for name in [name for name in sys.modules if name.startswith(ENGINE)]:
            del sys.modules[name]  # imported before, without the mistake
        session = open_session(spec)
        os.write(writing, b".")
        for case in cases:
            os.write(writing, b"." if session.run_case(case).verdict == "pass" else b"!")

    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            attempt(writing)
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
    passed = (text.partition(b"!")[0]).count(b".")
    if not passed:
        return "import"
    return None if passed > len(cases) else cases[passed - 1].id


def main() -> None:
    """Print each mutant that no case notices and no one has explained, and the score of each package."""
    parser = argparse.ArgumentParser(prog="python -m tests.reference.mutation_score")
    parser.add_argument("mutants", nargs="?", type=int, default=100, help="of each package")
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    explained: dict[str, dict[str, str]] = yaml.safe_load(EXPLAINED.read_text())
    kinds = {key: kind for kind, some in explained.items() for key in some}
    spec = load_spec()
    set_aside()
    reach = Reach(spec)
    columns = ["mutants", "noticed", *explained, "unexplained"]
    scores: dict[str, Counter[str]] = {}
    for package in options.packages:
        score = scores[package] = Counter()
        files = sorted((reference_folder() / package).glob("*.py"))
        mutants = drawn(files, random.Random(f"{options.seed} {package}"))
        for mutant in itertools.islice(mutants, options.mutants):
            cases = reach.of(mutant)
            kind = (
                "noticed"
                if noticed_by(mutant, spec, cases)
                else kinds.get(mutant.key, "unexplained")
            )
            score.update(["mutants", kind])
            if kind == "unexplained":
                print(f"{mutant.key}  (line {mutant.line}, {len(cases)} cases)", flush=True)
    scores["together"] = sum(scores.values(), Counter[str]())
    print(f"\n{'':10}" + "".join(f"{column:>13}" for column in columns))
    for package, score in scores.items():
        print(f"{package:10}" + "".join(f"{score[column]:>13}" for column in columns))


if __name__ == "__main__":
    main()
