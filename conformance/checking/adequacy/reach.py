"""`gradspec check --reach`: which statements of the reference engine does no case run?

What no case reaches needs a case, or a reason in `unreached.yaml`, or is code to remove. The suite
runs in a fresh interpreter, so that what runs on import is counted as well.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from gradspec.spec.problems import Place, Problem, SpecError
from gradspec.spec.reading.fields import Fields
from gradspec.spec.reading.yaml_reader import read_yaml

from .source import reference_folder

__all__ = ["FileReach", "ReachError", "measure", "read_reasons", "table", "without_reason"]

REASONS = Path(__file__).with_name("unreached.yaml")


class ReachError(Exception):
    """The reach cannot be measured; the message says why, and what to do."""


@dataclass(frozen=True)
class FileReach:
    """One file of the reference: its path below the engine's folder, how many statements it has,
    the lines of those that no case reaches, how many of these only refuse or warn, and in which
    function each is."""

    path: str
    statements: int
    missed: tuple[int, ...]
    refusals: int = 0
    functions: Mapping[int, str] = field(default_factory=dict)

    @property
    def package(self) -> str:
        """The folder that the file is in, with a slash at its end; files at the top have none."""
        return self.path.rpartition("/")[0] + "/" if "/" in self.path else ""


def measure(root: Path, select: str = "", trust_words: bool = False) -> list[FileReach]:
    """Run the cases whose ids contain `select` on the reference, and read what they reached.

    Raises:
        ReachError: coverage.py is missing, or the run did not end as it should.
    """
    if find_spec("coverage") is None:
        raise ReachError(
            "--reach needs coverage.py, which is not installed; run: pip install 'gradspec[test]'"
        )
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "coverage")
        arguments = [data, str(root), select, "trust" if trust_words else ""]
        ended = subprocess.run(
            [sys.executable, "-m", __name__, *arguments],
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if ended.returncode:
            last = ended.stderr.strip().rpartition("\n")[2] or f"status {ended.returncode}"
            raise ReachError(f"the run of the suite under coverage failed: {last}")
        return list(read(data))


def read(data: str) -> Iterator[FileReach]:
    """What a run reached, file by file; a file that was never imported is missed as a whole."""
    from coverage import Coverage

    engine = reference_folder()
    found = Coverage(data_file=data, source=[str(engine)], config_file=False)
    found.load()
    for path in sorted(engine.rglob("*.py")):
        _, statements, _, missed, _ = found.analysis2(str(path))
        tree = ast.parse(path.read_text("utf-8"))
        refusals = refusing_lines(tree) & set(missed)
        name = path.relative_to(engine).as_posix()
        named = functions_by_line(tree)
        functions = {line: named.get(line, "(top)") for line in missed}
        yield FileReach(name, len(statements), tuple(missed), len(refusals), functions)


def refusing_lines(tree: ast.Module) -> set[int]:
    """The first lines of the statements that raise an error, make one, or warn."""
    return {node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt) and refuses(node)}


def refuses(statement: ast.stmt) -> bool:
    """Whether a statement raises, returns what a function of `errors` makes, or warns."""
    if isinstance(statement, ast.Raise):
        return True
    if not isinstance(statement, (ast.Return, ast.Expr)) or not isinstance(
        statement.value, ast.Call
    ):
        return False
    called = ast.unparse(statement.value.func)
    return called.startswith(("errors.", "warnings.")) or called == "caution"


def functions_by_line(tree: ast.Module) -> dict[int, str]:
    """The function that each line is in, with the classes and functions around it; lines in none are
    left out."""
    names: dict[int, str] = {}

    def visit(node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = around
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                inner = f"{around}.{child.name}" if around else child.name
                lines = range(child.lineno, (child.end_lineno or child.lineno) + 1)
                names.update(dict.fromkeys(lines, inner))
            visit(child, inner)

    visit(tree, "")
    return names


Reasons = dict[tuple[str, str], tuple[int, Place]]
"""By file and function, how many statements a reason is given for, and where."""


def read_reasons(path: Path = REASONS) -> Reasons:
    """The statements that no case needs to reach, from the list of reasons.

    Raises:
        SpecError: the list is malformed, or names a function twice.
    """
    problems: list[Problem] = []
    fields = Fields(problems)
    found: Reasons = {}
    for item in fields.sequence(read_yaml(path), "the list of reasons"):
        entry = fields.mapping(item, "a reason", ["why", "statements"])
        fields.text(entry.get("why"), "why")
        files = (
            fields.any_mapping(entry["statements"], "statements") if "statements" in entry else {}
        )
        for name, functions in files.items():
            for function, count in fields.any_mapping(functions, name).items():
                if (name, function) in found:
                    fields.refuse(count.place, f"{function} of {name} is listed twice")
                number = int(fields.number(count, function, 0))
                found[name, function] = number, count.place
    if problems:
        raise SpecError(problems, "the reasons for unreached statements")
    return found


def without_reason(files: Iterable[FileReach], reasons: Reasons) -> tuple[list[str], list[str]]:
    """Functions with more unreached statements than the list gives a reason for, and entries of the
    list with more of them than there are."""
    missed: dict[tuple[str, str], list[int]] = {}
    for file in files:
        for line in file.missed:
            missed.setdefault((file.path, file.functions[line]), []).append(line)
    more = []
    for (path, function), lines in missed.items():
        allowed = reasons[path, function][0] if (path, function) in reasons else 0
        if len(lines) > allowed:
            known = f" ({allowed} of them have one)" if allowed else ""
            more.append(f"{path}, {function}: {intervals(tuple(lines))}{known}")
    fewer = [
        f"{path}, {function}: {number} statements, but {len(missed.get((path, function), ()))} are unreached"
        f" ({place})"
        for (path, function), (number, place) in reasons.items()
        if len(missed.get((path, function), ())) < number
    ]
    return more, fewer


def table(files: list[FileReach], lines: bool = False) -> Iterator[str]:
    """The reach as a table: each package, then its files; with `lines`, the lines missed too."""
    ordered = sorted(files, key=lambda file: (file.package, file.path))
    width = max(len(file.path) for file in ordered) + 2
    yield f"{'':{width}}  statements  unreached  of these refusals  reached"
    for package, group in groupby(ordered, key=lambda file: file.package):
        held = list(group)
        yield row(package or "(top)", held, width)
        for file in held:
            shown = f"  {intervals(file.missed)}" if lines and file.missed else ""
            yield row(f"  {file.path}", [file], width) + shown
    yield row("together", ordered, width)


def row(name: str, files: Iterable[FileReach], width: int) -> str:
    """One line of the table."""
    held = list(files)
    statements = sum(file.statements for file in held)
    missed = sum(len(file.missed) for file in held)
    percent = 100 * (statements - missed) // statements if statements else 100
    refusals = sum(file.refusals for file in held)
    return f"{name:{width}}  {statements:10,}  {missed:9,}  {refusals:17,}  {percent:6}%"


def intervals(lines: tuple[int, ...]) -> str:
    """Line numbers with neighbors joined: ``3-5, 9``."""
    ends: list[list[int]] = []
    for line in lines:
        if ends and line == ends[-1][1] + 1:
            ends[-1][1] = line
        else:
            ends.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ends)


def main(data: str, root: str, select: str, trust: str) -> None:
    """In the fresh interpreter: run the cases under coverage, and save what they reached."""
    from coverage import Coverage

    watched = Coverage(data_file=data, source=[str(reference_folder())], config_file=False)
    watched.start()
    try:
        run_cases(Path(root), select, bool(trust))
    finally:
        watched.stop()
        watched.save()


def run_cases(root: Path, select: str, trust_words: bool) -> None:
    """Run the cases whose ids contain `select` on the reference, on the CPU and on the device that
    stands in for CUDA; verdicts do not matter here."""
    from ...running.runner import Options, open_session

    for device in ("cpu", "strict"):
        session = open_session(Options("reference", device, trust_words=trust_words), root)
        for case in session.cases():
            if select in case.id:
                session.run_case(case)
        session.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
