"""Reads chapters: YAML files of behaviors, each with its cases, checked and lowered."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..model import Behavior, Case, Chapter, Level, Source, Strength
from ..problems import Place, Problem, nearest
from ..program.language import parse_expression
from ..program.lowering import lower_program
from ..program.parsed import Bound
from ..program.program import Expectation, Program
from ..program.syntax import RESERVED, RUNTIME
from ..program.vocabulary import Kind, Vocabulary
from .fields import Fields, kind_of
from .guides import read_guide
from .yaml_reader import Located

_LEVELS: tuple[Level, ...] = ("documented", "implied", "observed")
_REQUIRED = ("id", "statement", "level", "cases")
_OPTIONAL = (
    "sources",
    "since",
    "until",
    "refuses",
    "pitfall",
    "differs",
    "folklore",
    "needs",
    "section",
)
_STRENGTH = re.compile(r"\b(MUST|SHOULD|MAY)\b")
_VERSION = r"[0-9]+\.[0-9]+(\.[0-9]+)?"
MAX_ROWS = 500
MAX_CASES = 5000
MAX_PROGRAMS = 4_000_000
"""How many characters the programs of one file's cases have together, each row of a table counted."""


class Room:
    """How many more cases one file may have, which bounds the time that reading it takes."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.cases, self.characters = MAX_CASES, MAX_PROGRAMS

    def for_case(self, place: Place, text: str) -> bool:
        """Whether one more case is allowed; the limit is reported once."""
        if self.cases < 0:
            return False
        self.cases -= 1
        self.characters -= len(text)
        if self.cases < 0 or self.characters < 0:
            self.cases = -1
            what = f"{MAX_CASES} cases, or programs of {MAX_PROGRAMS} characters together"
            self.fields.refuse(
                place, f"the file has more than {what}", "split it into several files"
            )
            return False
        return True


@dataclass(frozen=True)
class Tables:
    """What behaviors may refer to."""

    vocabulary: Vocabulary
    kinds: Mapping[str, Kind]
    sources: Mapping[str, Source]
    shared: Mapping[str, Located] = field(default_factory=dict)
    room: Room | None = None


def read_chapter(
    located: Located, file: str, name: str, tables: Tables, problems: list[Problem]
) -> Chapter:
    """One chapter file. `name` is the file's stem, with which every id in it begins."""
    fields = Fields(problems)
    top = fields.mapping(
        located,
        "a chapter",
        ["title", "introduction", "behaviors"],
        ["tables", "apart", "part", "guide"],
    )
    shared = fields.any_mapping(top["tables"], "tables") if "tables" in top else {}
    tables = replace(tables, shared=shared, room=Room(fields))
    apart = fields.text(top.get("apart"), "apart")
    behaviors = []
    items = fields.sequence(top.get("behaviors"), "behaviors")
    if not items and "behaviors" in top and isinstance(top["behaviors"].value, list):
        fields.refuse(top["behaviors"].place, "a chapter needs a behavior")
    for item in items:
        behavior = _read_behavior(item, file, name, tables, fields)
        if behavior is not None:
            behavior.apart = apart
            behaviors.append(behavior)
        fields.behavior = ""
    return Chapter(
        name,
        fields.text(top.get("title"), "title"),
        fields.text(top.get("introduction"), "introduction"),
        tuple(behaviors),
        fields.text(top.get("part"), "part"),
        read_guide(top.get("guide"), fields),
    )


def _read_behavior(
    located: Located, file: str, chapter: str, tables: Tables, fields: Fields
) -> Behavior | None:
    if isinstance(located.value, dict) and isinstance(
        getattr(located.value.get("id"), "value", None), str
    ):
        fields.behavior = located.value["id"].value
    entry = fields.mapping(located, "a behavior", _REQUIRED, _OPTIONAL)
    if "id" not in entry:
        return None
    identifier = fields.text(entry["id"], "id")
    fields.pattern(
        identifier,
        entry["id"].place,
        "the id",
        rf"{re.escape(chapter)}\.[a-z0-9][a-z0-9-]*",
        f"{chapter}.some-short-name",
    )
    statement = fields.text(entry.get("statement"), "statement")
    behavior = Behavior(
        id=identifier,
        chapter=chapter,
        statement=" ".join(statement.split()),
        strength=_strength(statement, entry, fields),
        level=fields.choice(entry.get("level"), "level", _LEVELS, "documented"),  # type: ignore[arg-type]
        sources=_sources(entry, tables, fields),
        place=located.place,
        refuses=fields.text(entry.get("refuses"), "refuses"),
        pitfall=fields.text(entry.get("pitfall"), "pitfall"),
        differs=fields.text(entry.get("differs"), "differs"),
        folklore=fields.text(entry.get("folklore"), "folklore"),
        since=_version(entry.get("since"), fields),
        until=_version(entry.get("until"), fields),
        needs=tuple(text for text, _ in fields.texts(entry.get("needs"), "needs")),
        section=fields.text(entry.get("section"), "section"),
    )
    if "cases" in entry:
        cases = fields.any_mapping(entry["cases"], "cases")
        if not cases and isinstance(entry["cases"].value, dict):
            fields.refuse(entry["cases"].place, "a behavior needs a case")
        for name, body in cases.items():
            _read_cases(name, body, entry["cases"].keys[name], behavior, file, tables, fields)
    return behavior


def _strength(statement: str, entry: Mapping[str, Located], fields: Fields) -> Strength:
    found: list[Strength] = _STRENGTH.findall(statement)
    if statement and not found:
        fields.refuse(
            entry["statement"].place, "expected MUST, SHOULD or MAY in the statement, in capitals"
        )
    order: tuple[Strength, ...] = ("MUST", "SHOULD", "MAY")
    return min(found, key=order.index) if found else "MUST"


def _version(located: Located | None, fields: Fields) -> str:
    if located is None:
        return ""
    if isinstance(located.value, int | float):
        fields.refuse(located.place, "expected the version as text", f'quote it: "{located.value}"')
        return ""
    text = fields.text(located, "a version")
    fields.pattern(text, located.place, "the version", _VERSION, '"1.13"')
    return text


def _sources(entry: Mapping[str, Located], tables: Tables, fields: Fields) -> tuple[str, ...]:
    names = fields.texts(entry.get("sources"), "sources")
    for name, place in names:
        if name and name not in tables.sources:
            hint = nearest(name, tables.sources) or "sources are listed in sources.yaml"
            fields.refuse(place, f"the source {name!r} is not known", hint)
    level = entry.get("level")
    if level is not None and level.value in ("documented", "implied") and not names:
        fields.refuse(
            level.place,
            f"a behavior that is {level.value} must name its sources",
            "add `sources: [...]`",
        )
    return tuple(name for name, _ in names)


def slug(text: str) -> str:
    """A case's or row's name, as used in an id."""
    return re.sub(r"[^A-Za-z0-9_.,=+*-]+", "-", text.strip()).strip("-")


def label_of(value: ast.expr) -> str:
    """A table's value, as used in an id: a shape as 2x3, a list as (1.0,2.0)."""
    if isinstance(value, ast.Tuple) and all(isinstance(item, ast.Constant) for item in value.elts):
        return "x".join(ast.unparse(item) for item in value.elts) or "scalar"
    if isinstance(value, ast.List):
        return f"({','.join(label_of(item) for item in value.elts)})"
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return f"-{label_of(value.operand)}"
    return slug(ast.unparse(value))


def _read_cases(
    name: str,
    body: Located,
    place: Place,
    behavior: Behavior,
    file: str,
    tables: Tables,
    fields: Fields,
) -> None:
    if isinstance(body.value, str):
        entry: dict[str, Located] = {"program": body}
    elif isinstance(body.value, dict):
        entry = fields.mapping(body, f"the case {name!r}", ["program"], ["each", "tolerance"])
    else:
        message = f"expected the case {name!r} to be a program or a mapping, found {kind_of(body)}"
        fields.refuse(body.place, message)
        return
    if not slug(name):
        fields.refuse(place, f"the case's name {name!r} has no letter or digit")
    if "program" not in entry:
        return
    if not isinstance(entry["program"].value, str):
        fields.text(entry["program"], "program")
        return
    factor, reason = fields.tolerance(entry.get("tolerance"), "tolerance")
    known = {case.id for case in behavior.cases}
    for label, bindings in _rows(_table(entry.get("each"), tables, fields), tables, fields):
        if tables.room and not tables.room.for_case(place, entry["program"].value):
            return
        identifier = f"{behavior.id}/{slug(name)}" + (f"[{label}]" if label else "")
        case = _build_case(
            identifier, name, entry["program"], bindings, behavior, file, tables, fields
        )
        if case is None:
            break  # the other rows of the table would repeat the same complaints
        program, expectations = case
        text = entry["program"]
        if identifier in known:
            fields.refuse(
                place,
                f"the case id {identifier!r} occurs twice",
                "rename the case, or label its rows",
            )
        known.add(identifier)
        behavior.cases.append(
            Case(
                identifier,
                behavior,
                name,
                text.value,
                place,
                program,
                expectations,
                text.text_line,
                factor,
                reason,
                tuple((key, bound.text) for key, bound in bindings.items()),
            )
        )


def _table(located: Located | None, tables: Tables, fields: Fields) -> Located | None:
    """A case's table: its own, or the one of the chapter's `tables` that it names."""
    if located is None or not isinstance(located.value, str):
        return located
    if located.value in tables.shared:
        return tables.shared[located.value]
    hint = (
        nearest(located.value, tables.shared)
        or "a chapter's shared tables stand under `tables:` at its top"
    )
    fields.refuse(located.place, f"no table is called {located.value!r}", hint)
    return None


Row = tuple[str, dict[str, Bound]]


def _rows(located: Located | None, tables: Tables, fields: Fields) -> list[Row]:
    """The rows of a case's table. A mapping gives every combination, a list gives the rows."""
    if located is None:
        return [("", {})]
    combinations: Iterable[tuple[Cell, ...]]
    if isinstance(located.value, dict):
        for name in located.value:
            _table_name(name, located.keys[name], tables, fields)
        columns = [_column(name, column, fields) for name, column in located.value.items()]
        if any(not column for column in columns):
            return []
        count = math.prod(map(len, columns)) if columns else 0
        combinations = itertools.product(*columns)
    elif isinstance(located.value, list):
        count = len(located.value)
        combinations = [_listed_row(item, tables, fields) for item in located.value]
    else:
        fields.refuse(
            located.place,
            f"expected each to be a mapping or a list of rows, found {kind_of(located)}",
        )
        return []
    if not 1 <= count <= MAX_ROWS:
        message = (
            f"the table has {count} rows; {MAX_ROWS} are allowed"
            if count
            else "the table has no row"
        )
        fields.refuse(located.place, message)
        return []
    rows = []
    for combination in combinations:
        label = ",".join(text for _, text, _ in combination if text)
        rows.append((label, {name: value for name, _, value in combination if value is not None}))
    return rows


Cell = tuple[str, str, Bound | None]


def _table_name(name: str, place: Place, tables: Tables, fields: Fields) -> None:
    """Report a name that a table must not define."""
    if name in RESERVED | RUNTIME or name in tables.vocabulary.namespaces:
        fields.refuse(place, f"{name!r} is a word of the vocabulary", "choose another name")
    fields.pattern(name, place, "the table's name", r"[a-z][a-z0-9_]*", "dtype")


def _column(name: str, located: Located, fields: Fields) -> list[Cell]:
    """One column: a list of values, or a mapping of labels to values."""
    if isinstance(located.value, dict):
        cells = list(located.value.items())
    else:
        cells = [("", item) for item in fields.sequence(located, f"the column {name}")]
    if not cells and isinstance(located.value, list | dict):
        fields.refuse(located.place, f"the column {name} is empty")
    column: list[Cell] = []
    for label, item in cells:
        value = _cell(item, fields)
        if value is not None:
            column.append((name, f"{name}={slug(label) or label_of(value.expression)}", value))
    return column


def _listed_row(located: Located, tables: Tables, fields: Fields) -> tuple[Cell, ...]:
    """One row of a list: a mapping of names to values; `row` is its label."""
    entry = fields.any_mapping(located, "a row")
    cells: list[Cell] = []
    label = fields.text(entry.get("row"), "row")
    for name, item in entry.items():
        if name != "row":
            _table_name(name, located.keys[name], tables, fields)
            value = _cell(item, fields)
            if value is not None:
                cells.append((name, "" if label else f"{name}={label_of(value.expression)}", value))
    return (("", slug(label), None), *cells) if label else tuple(cells)


def _cell(located: Located, fields: Fields) -> Bound | None:
    """One cell of a table, with its place; None if it is not a value."""
    try:
        expression = _cell_expression(located, fields)
        if expression is None:
            return None
        return Bound(expression, ast.unparse(expression), located.place)
    except (RecursionError, ValueError):  # an integer of too many digits is a ValueError
        fields.refuse(
            located.place, "the expression is nested too deeply, or holds too large a number"
        )
        return None


def _cell_expression(located: Located, fields: Fields) -> ast.expr | None:
    """A table's value as an expression: text is read as one, other values are themselves."""
    if isinstance(located.value, str):
        expression = parse_expression(located.value)
        if expression is None:
            hint = "text in a table is read as an expression; write a string as '\"text\"'"
            fields.refuse(located.place, f"{located.value[:60]!r} is not an expression", hint)
        return expression
    if isinstance(located.value, list):
        items = [_cell_expression(item, fields) for item in located.value]
        return ast.List([item for item in items if item is not None], ast.Load())
    if isinstance(located.value, dict):
        fields.refuse(located.place, "expected a value, found a mapping")
        return None
    value = located.value
    if isinstance(value, float) and value - value != 0.0:
        name = ast.Name("nan" if value != value else "inf", ast.Load())
        return name if not value < 0 else ast.UnaryOp(ast.USub(), name)
    return ast.Constant(value)


def _locator(located: Located, file: str) -> Callable[[int, int], Place]:
    first, indent = located.text_line, located.text_indent
    if first == located.place.line:  # a program written on the line of its key
        return lambda line, column: Place(file, located.place.line, located.place.column)
    lines = [line.encode() for line in located.value.splitlines()]

    def locate(line: int, column: int) -> Place:
        before = b"".join(lines[line - first : line - first + 1])[:column].decode("utf-8", "ignore")
        return Place(file, line, indent + len(before) + 1)

    return locate


def _reason_in_yaml(text: Located, problem: Problem) -> str:
    """Why a text may be no program that was meant as one: a mistake in the YAML around it."""
    if not problem.message.startswith("this is not a program"):
        return ""
    if text.joined:
        return "a program of several lines stands below a `|`, as in `name: |`"
    line = "".join(text.value.splitlines()[problem.place.line - text.text_line :][:1])
    if re.fullmatch(r".*: +[|>]\s*", line):
        return "if this is where the next case begins, indent it like the one before"
    return ""


def _build_case(
    identifier: str,
    name: str,
    text: Located,
    bindings: Mapping[str, Bound],
    behavior: Behavior,
    file: str,
    tables: Tables,
    fields: Fields,
) -> tuple[Program, tuple[Expectation, ...]] | None:
    locate = _locator(text, file)
    problems: list[Problem] = []
    first = text.text_line
    lowered = lower_program(
        identifier,
        text.value,
        file,
        first,
        bindings,
        tables.vocabulary,
        tables.kinds,
        locate,
        problems,
    )
    if lowered is not None and not lowered[1]:
        problems.append(
            Problem(locate(first, 0), f"the case {name!r} expects nothing", "add an assert")
        )
    for problem in problems:
        hint = problem.hint or _reason_in_yaml(text, problem)
        fields.refuse(problem.place, problem.message, hint)
    return None if problems else lowered
