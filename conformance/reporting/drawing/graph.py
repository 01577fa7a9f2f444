"""A recorded graph as plain data: boxes (leaves and operations) and the edges between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOST_BOXES = 16
"""A larger graph is not drawn: nobody could read it."""


@dataclass
class Box:
    """A leaf or a recorded operation.

    `title` is the variable of a leaf, or the expression that recorded an operation; `node` is the name
    of the operation's node; `saved` lists what it saves for the backward pass. `grad` is what the
    attribute of that name holds at the end, and `arriving` the gradients that a pass started with here.
    """

    title: str
    node: str = ""
    names: list[str] = field(default_factory=list)
    value: str = ""
    saved: list[str] = field(default_factory=list)
    grad: str = ""
    arriving: list[str] = field(default_factory=list)

    @property
    def leaf(self) -> bool:
        return not self.node

    @property
    def shown(self) -> str:
        """The title, after the name of the variable that holds the result where it does not begin with it."""
        name = "" if self.leaf else next(iter(self.names), "")
        return (
            self.title
            if not name or re.match(rf"{re.escape(name)}\b", self.title)
            else f"{name} = {self.title}"
        )


@dataclass
class Edge:
    """From an operation to one of its inputs, with the gradients that flowed along it."""

    source: int
    target: int
    gradients: list[str] = field(default_factory=list)


@dataclass
class Graph:
    """Boxes, and edges between them by their indices."""

    boxes: list[Box]
    edges: list[Edge]

    def described(self) -> str:
        """The graph in a sentence, for those who cannot see it."""
        leaves = [box.shown for box in self.boxes if box.leaf]
        operations = [box.shown for box in self.boxes if not box.leaf]
        return f"Recorded graph. Leaves: {', '.join(leaves) or 'none'}. Operations: {', '.join(operations)}."
