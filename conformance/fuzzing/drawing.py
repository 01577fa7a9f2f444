"""Draws programs with Hypothesis, which shrinks those that fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hypothesis import strategies
from hypothesis.strategies import DrawFn, SearchStrategy

from .statements import BLOCKS, SHAPES, UNRECORDED, WEIGHTS, Template

VALUES = (0.5, -1.25, 1.5, 0.75, -0.5, 2.0, -1.75, 0.25, 1.25, -0.75)
LEAF = "leaf"
OF = " of "
"""Between the template of a derivative and that of the operation that it is taken of."""
CAUGHT = frozenset({"writes", "flags", "passes", "ends"})
"""Tables of statements after whose error a program goes on."""
FUNCTIONAL = 8
"""How often an engine that differentiates functions only gets a derivative."""
TRIES = 3
"""How often a statement is drawn anew that means nothing in the program so far."""
ANY, CONSTANT = frozenset("xrql"), frozenset("ctk")
"""Places of variables of any shape, and places of constants."""


@dataclass(frozen=True)
class Statement:
    """One drawn statement; `name` is the variable that it makes, if any. A program goes on after an
    error of one that is `caught`."""

    text: str
    template: str
    name: str = ""
    holds: str = ""
    block: str = ""
    caught: str = ""

    @property
    def written(self) -> str:
        line = f"{self.name} = {self.text}" if self.name else self.text
        opening = BLOCKS[self.block]
        return f"{opening}\n    {line}" if opening else line


@dataclass
class Drawn:
    """A program as it was drawn."""

    statements: list[Statement] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(statement.written for statement in self.statements) + "\n"

    @property
    def templates(self) -> frozenset[str]:
        """What the program consists of, besides leaves."""
        kinds = {kind for each in self.statements for kind in each.template.split(OF)}
        blocks = {f"in {statement.block}" for statement in self.statements if statement.block}
        return frozenset((kinds | blocks) - {LEAF})


def programs(
    templates: Sequence[Template], blocks: Sequence[str], most: int, flags: bool
) -> SearchStrategy[Drawn]:
    """Programs of up to `most` statements from these templates. With `flags`, leaves require grad or
    not, and most programs end with a pass; an engine without them differentiates functions only.

    Raises `ValueError` where there is no template.
    """
    tables: dict[str, list[Template]] = {}
    for template in templates:
        tables.setdefault(template.table, []).append(template)
    if not tables:
        raise ValueError("the engine has none of the operations that programs are made of")
    known = tuple(block for block in blocks if block)

    @strategies.composite
    def program(draw: DrawFn) -> Drawn:
        drawing = Drawing(_picking(draw), tables, known, flags)
        drawing.begin()
        # one for all statements: Hypothesis validates each that it is given
        another = step(drawing)
        for _ in range(most):
            if not draw(another):
                break
        for number in range(2):
            if not draw(end(drawing, number)):
                break
        return drawing.drawn

    return program()


def _picking(draw: DrawFn) -> Callable[[int], int]:
    return lambda count: draw(below(count)) if count > 1 else 0


@strategies.composite
def step(draw: DrawFn, drawing: Drawing) -> bool:
    """One more statement, unless the program ends: drawn apart, so that it can be shrunk away."""
    drawing.pick = _picking(draw)
    if not drawing.pick(10) and drawing.drawn.statements:
        return False
    drawing.statement(drawing.template())
    return True


@strategies.composite
def end(draw: DrawFn, drawing: Drawing, number: int) -> bool:
    """A pass at the end, of which there may be two."""
    drawing.pick = _picking(draw)
    ends = [each for each in drawing.tables.get("ends", []) if not drawing.left_open(each)]
    if not ends or not drawing.leaves or drawing.pick(12) <= 2 * number:
        return False
    drawing.statement(ends[drawing.pick(len(ends))])
    return True


@lru_cache(maxsize=256)
def below(count: int) -> SearchStrategy[int]:
    """A number from 0 to `count` - 1."""
    return strategies.integers(0, count - 1)


class Drawing:
    """A program as it grows. `pick(n)` draws a number below n; each choice is simplest at 0."""

    def __init__(
        self,
        pick: Callable[[int], int],
        tables: dict[str, list[Template]],
        blocks: Sequence[str],
        flags: bool,
    ) -> None:
        self.pick, self.tables, self.blocks, self.flags = pick, tables, blocks, flags
        self.drawn = Drawn()
        self.names: dict[str, list[str]] = {holds: [] for holds in SHAPES}
        self.leaves: set[str] = set()
        """Leaves that require grad."""
        self.recorded: set[str] = set()
        """Results that require grad, as far as can be told before the program runs."""
        self.used: list[Template] = []
        self.weighted: list[str] = []
        self.passed = False
        self.careless = False
        """Whether the statement at hand takes any variables, not those that it is meant for."""

    def begin(self) -> None:
        """Choose the tables that this program draws from, as often as each weighs: each program leaves
        some out, so that what is in it occurs together more often."""
        left_out = self.pick(1 << len(WEIGHTS))
        chosen = [
            table
            for bit, (table, weight) in enumerate(WEIGHTS.items())
            if table in self.tables and not (left_out >> bit & 1 and bit)
            for _ in range(weight if self.flags or table != "derivatives" else FUNCTIONAL)
        ]
        self.weighted = chosen or [table for table in self.tables if table != "ends"] or ["ends"]

    def template(self) -> Template:
        """One of a table, or one that the program has already."""
        if self.used and self.pick(6) == 5:
            return self.used[self.pick(len(self.used))]
        found = next(filter(self.fits, map(self.any_template, range(TRIES))), None)
        if found is None:
            found = self.tables.get("operations", self.tables[self.weighted[0]])[0]
        self.used.append(found)
        return found

    def any_template(self, _: int) -> Template:
        table = self.tables[self.weighted[self.pick(len(self.weighted))]]
        return table[self.pick(len(table))]

    def left_open(self, template: Template) -> bool:
        """Whether PyTorch leaves open what happens after a statement that was drawn before."""
        return any(map(template.clashes, self.used))

    def fits(self, template: Template) -> bool:
        """Whether a statement means something here: it has what it needs, and one right outcome."""
        if self.left_open(template):
            return False
        if template.needs_pass:
            return self.passed
        if "r" in template.places:
            return bool(self.recorded)
        fixed = [place for place in template.places if place in SHAPES]
        return (
            not self.drawn.statements
            or all(self.names[holds] for holds in fixed)
            or not self.pick(4)
        )

    def statement(self, template: Template) -> None:
        self.careless = self.pick(8) == 7
        filled, held, inner = self.filled(template)
        holds = held.get(template.makes, template.makes)
        number = len(self.drawn.statements)
        made = f"{holds}{number}" if holds else ""
        block = self.block(template)
        caught = "caught" if template.table in CAUGHT and not made else ""
        text = template.written(filled)
        shown = template.shown + (f"{OF}{inner.shown}" if inner else "")
        self.drawn.statements.append(Statement(text, shown, made, holds, block, caught))
        self.passed = self.passed or template.table in ("passes", "ends")
        if made:
            self.names[holds].append(made)
            tracks = template.records and block != "no_grad"
            if tracks and any(self.requires_grad(name) for name in filled.values()):
                self.recorded.add(made)
        elif template.table == "writes" and block != "no_grad":
            names = list(filled.values())
            if names[0] not in self.leaves and any(map(self.requires_grad, names)):
                self.recorded.add(names[0])

    def filled(self, template: Template) -> tuple[dict[str, str], dict[str, str], Template | None]:
        """What stands in the places of a template, what it holds, and the operation at `f`."""
        filled: dict[str, str] = {}
        held: dict[str, str] = {}
        inner = None
        for place in template.places:
            if place == "f":
                inner = self.operation()
                filled["f"], held["a"], held["k"] = self.function(inner)
                held["t"] = held["a"]
            elif place in CONSTANT:
                held[place] = held.get(place) or list(held.values())[-1]
                filled[place] = leaf_text(held[place], 1 + self.pick(5), False)
            else:
                held[place] = self.held(template, place, held)
                filled[place] = self.variable(held[place], template, place)
        return filled, held, inner

    def held(self, template: Template, place: str, held: dict[str, str]) -> str:
        if place == "a":
            return held["a"]
        if place == "y":
            return held["x"]
        return self.shape(template, place) if place in ANY else place

    def operation(self) -> Template:
        operations = self.tables["operations"]
        found = operations[self.pick(len(operations))]
        return found if found.composes else operations[0]

    def function(self, inner: Template) -> tuple[str, str, str]:
        """An operation as an expression of `p`, what `p` holds, and what the result holds."""
        filled, held, _ = self.filled(inner)
        place = inner.places[self.pick(len(inner.places))]
        return (
            inner.written({**filled, place: "p"}),
            held[place],
            held.get(inner.makes, inner.makes),
        )

    def block(self, template: Template) -> str:
        if not self.blocks or (self.pick(10) < 9 and not template.fails):
            return ""
        block = self.blocks[self.pick(len(self.blocks))]
        if block == "thread" and (
            template.table not in UNRECORDED
            or "q" in template.places
            or "create_graph" in template.text
        ):
            return ""
        if block == "scaled" and template.table != "custom":
            return "packed"
        # whether a view that is made under no_grad requires grad is left open
        return "" if template.table == "views" and block == "no_grad" else block

    def requires_grad(self, name: str) -> bool:
        return name in self.leaves or name in self.recorded

    def leaf(self, holds: str, wanted: bool = False) -> str:
        number = len(self.drawn.statements)
        made = f"{holds}{number}"
        flag = self.flags and (wanted or self.pick(10) < 8)
        text = leaf_text(holds, self.pick(len(VALUES)), flag)
        self.drawn.statements.append(Statement(text, LEAF, made, holds))
        self.names[holds].append(made)
        if flag:
            self.leaves.add(made)
        return made

    def suited(self, holds: str, template: Template, place: str) -> list[str]:
        """The variables of a shape that a place is meant for: what is written to is no leaf that
        requires grad, a pass starts at a result that does, and so on."""
        names = self.names[holds]
        if not self.flags or place == "y":
            return names
        if place == "l":
            return [name for name in names if name in self.leaves]
        if place in "rq" or template.table == "passes":
            return [name for name in names if name in self.recorded]
        if template.table == "writes":
            return [name for name in names if name not in self.leaves]
        if template.table != "derivatives":
            return [name for name in names if self.requires_grad(name)]
        return names

    def shape(self, template: Template, place: str) -> str:
        """What the variable in a place of any shape holds."""
        if not self.careless:
            fitting = [holds for holds in SHAPES if self.suited(holds, template, place)]
            fitting = fitting or [holds for holds in SHAPES if self.names[holds]]
        else:
            fitting = []
        among = fitting or list(SHAPES)
        return among[self.pick(len(among))]

    def variable(self, holds: str, template: Template, place: str) -> str:
        suited = self.suited(holds, template, place)
        if place == "l" and not suited:
            return self.leaf(holds, True)
        if place != "l" and self.careless:
            suited = self.names[holds]
        among = suited or self.names[holds]
        if not among or (len(among) == 1 and place == "y" and self.pick(3) == 2):
            return self.leaf(holds)
        return among[-1 - self.pick(len(among))]


def leaf_text(holds: str, start: int, requires_grad: bool) -> str:
    """A tensor of small numbers, all different."""
    shape = SHAPES[holds]
    count = 1
    for size in shape:
        count *= size
    numbers = [VALUES[(start + i) % len(VALUES)] for i in range(count)]
    literal: object = numbers
    if not shape:
        literal = numbers[0]
    elif len(shape) == 2:
        literal = [numbers[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])]
    flag = ", requires_grad=True" if requires_grad else ""
    return f"tensor({literal}, dtype=float64{flag})"
