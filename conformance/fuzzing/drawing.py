"""Draws programs with Hypothesis, which shrinks those that fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies
from hypothesis.strategies import DrawFn, SearchStrategy

from .statements import BLOCKS, SHAPES, WEIGHTS, Template

VALUES = (0.5, -1.25, 1.5, 0.75, -0.5, 2.0, -1.75, 0.25, 1.25, -0.75)
LEAF = "leaf"


@dataclass(frozen=True)
class Statement:
    """One drawn statement; `name` is the variable that it makes, if any."""

    text: str
    template: str
    name: str = ""
    holds: str = ""
    block: str = ""

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
        kinds = {statement.template for statement in self.statements}
        blocks = {f"in {statement.block}" for statement in self.statements if statement.block}
        return frozenset((kinds | blocks) - {LEAF})


def programs(
    templates: Sequence[Template], blocks: Sequence[str], most: int, flags: bool
) -> SearchStrategy[Drawn]:
    """Programs of up to `most` statements from these templates. With `flags`, leaves require grad or
    not; an engine without them differentiates functions only.

    Raises `ValueError` where there is no template.
    """
    if not templates:
        raise ValueError("the engine has none of the operations that programs are made of")
    tables: dict[str, list[Template]] = {}
    for template in templates:
        tables.setdefault(template.table, []).append(template)
    weighted = [table for table in tables for _ in range(WEIGHTS[table])]
    pick_table = strategies.sampled_from(weighted)
    pick = {table: strategies.sampled_from(found) for table, found in tables.items()}
    which = strategies.integers(0, 5)
    often = strategies.integers(0, 9)
    shapes = strategies.sampled_from(tuple(SHAPES))
    pick_block = strategies.sampled_from([block for block in blocks if block] or [""])

    @strategies.composite
    def program(draw: DrawFn) -> Drawn:
        drawn = Drawn()
        names: dict[str, list[str]] = {holds: [] for holds in SHAPES}

        def leaf(holds: str) -> str:
            made = f"{holds}{len(drawn.statements)}"
            wanted = flags and draw(often) < 7
            start = len(drawn.statements) * 3
            text = leaf_text(holds, start, wanted)
            drawn.statements.append(Statement(text, LEAF, made, holds))
            names[holds].append(made)
            return made

        def variable(holds: str) -> str:
            among = names[holds]
            if not among:
                return leaf(holds)
            return among[-1 - draw(which) % len(among)]

        for step in range(most):
            if step and not draw(which):  # asked anew each time, so that a step can be shrunk away
                break
            template = draw(pick[draw(pick_table)])
            held = draw(shapes) if template.any_shape else ""
            filled = {
                place: variable(held if place in "xy" else place) for place in template.places
            }
            holds = held if template.makes == "x" else template.makes
            made = f"{holds}{len(drawn.statements)}" if holds else ""
            block = draw(pick_block) if draw(often) == 9 else ""
            if template.table == "views" and block == "no_grad":
                block = ""  # whether such a view requires grad is left open
            text = template.written(filled)
            drawn.statements.append(Statement(text, template.shown, made, holds, block))
            if made:
                names[holds].append(made)
        return drawn

    return program()


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
