"""A graph as an SVG element, small enough for a page with hundreds of them.

Colors come from the page by CSS variables, each with a default for light and for dark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...text import printable
from .graph import Box, Graph
from .layout import CHARACTER, LINE, PADDING, Place, laid_out

MARGIN = 6.0
HEAD = "m-5 5l5 -5l5 5"
"""The head of an arrow that points up."""
SMALL = 0.95
"""The size of a gradient's characters, compared with those of boxes."""
Spot = tuple[float, float, bool]
"""Where a gradient begins, and whether it stands on the left of that."""
Area = tuple[float, float, float, float]
"""The left, top, right and bottom of something."""
BROAD = 500
"""A wider drawing is of the class "broad": pages give it more room, or let it be scrolled, so that it can be read."""

SIZES = {
    "CHARACTER": CHARACTER, "LINE": LINE, "PADDING": PADDING, "MARGIN": MARGIN, "SMALL": SMALL, "HEAD": HEAD,
    "BROAD": BROAD,
}  # fmt: skip
"""What drawing.js draws by."""
STYLE = Path(__file__).with_name("graph.css").read_text("utf-8")
"""The rules that a page with drawings needs."""


def svg_of(graph: Graph, wrong: Mapping[str, str] | None = None) -> str:
    """Draw a graph. `wrong` has the variables that an engine gets wrong, and what it found."""
    wrong = wrong or {}
    texts = [list(_lines(box, _mistake(box, wrong))) for box in graph.boxes]
    layout = laid_out(graph, texts)
    users = Counter(edge.target for edge in graph.edges)
    inputs = Counter(edge.source for edge in graph.edges)
    arrows, labels, spare = [], [], MARGIN
    taken = [_around(place) for place in layout.places]
    for box, place in zip(graph.boxes, layout.places, strict=True):
        if box.arriving:
            taken.append(_extent(_started(box), *_below(place)))
    for edge, path in zip(graph.edges, layout.paths, strict=True):
        label = " then ".join(edge.gradients)
        arrows.append(_arrow(path, idle=not label))
        if label:
            spot = _free(
                _spots(path, users[edge.target] > 1, inputs[edge.source] > 1), label, taken
            )
            taken.append(_extent(label, *spot))
            text, left, right = _gradient(label, *spot)
            labels.append(text)
            spare = max(spare, -left, right - layout.width)
    parts = [*arrows, *labels]
    for box, place in zip(graph.boxes, layout.places, strict=True):
        parts.append(_box(box, place, _mistake(box, wrong) is not None))
    bottom = layout.height
    for box, place in zip(graph.boxes, layout.places, strict=True):
        if box.arriving:
            text, right = _start(box, place)
            parts.append(text)
            spare = max(spare, right - layout.width)
            bottom = max(bottom, place.y + place.height / 2 + 24)
    width, height = layout.width + 2 * spare, bottom + 2 * MARGIN
    title = escape(printable(graph.described()), quote=True)
    kind = "graph broad" if width > BROAD else "graph"
    return (
        f'<svg class="{kind}" role="img" aria-label="{title}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-spare:.0f} {-MARGIN:.0f} {width:.0f} {height:.0f}">{"".join(parts)}</svg>'
    )


def plan_of(graph: Graph) -> list[list[Any]]:
    """What drawing.js makes the same drawing from, in a fifth of the room. The boxes: their places, their lines,
    each after its class ("l" is the title of a leaf), and the gradients with which passes start there. The edges:
    both ends, the gradients, and the points that they pass."""
    texts = [list(_lines(box, None)) for box in graph.boxes]
    layout = laid_out(graph, texts)
    boxes = []
    for box, place, lines in zip(graph.boxes, layout.places, texts, strict=True):
        told = "\n".join(printable(name + line) for name, line in lines)
        starts = printable(" then ".join(box.arriving[:2])) if box.arriving else None
        boxes.append([place.x, round(place.y), f"l{told[1:]}" if box.leaf else told, starts])
    edges = []
    for edge, path in zip(graph.edges, layout.paths, strict=True):
        points = [number for place in path[1:-1] for number in (place.x, round(place.y))]
        edges.append([edge.source, edge.target, printable(" then ".join(edge.gradients)), *points])
    return [boxes, edges]


def _mistake(box: Box, wrong: Mapping[str, str]) -> str | None:
    return next((wrong[name] for name in box.names if name in wrong), None)


def _lines(box: Box, mistake: str | None) -> Iterator[tuple[str, str]]:
    """The lines of a box, each with its class."""
    if box.leaf:
        yield "t", box.shown
        if box.value:
            yield "n", box.value
    else:
        yield "t", box.shown
        if box.title != box.node:
            yield "n", box.node
        if box.saved:
            yield "s", f"saves {', '.join(box.saved)}"
    if box.grad:
        yield "a", f".grad = {box.grad}"
    if mistake:
        yield "w", f"found {mistake}"


def _box(box: Box, place: Place, wrong: bool) -> str:
    left, top = place.x - place.width / 2, place.y - place.height / 2
    kind = " ".join([*(["leaf"] if box.leaf else []), *(["wrong"] if wrong else [])])
    named = f' class="{kind}"' if kind else ""
    shape = (
        f"<rect{named} x={_quoted(left)} y={_quoted(top)} "
        f'width={_quoted(place.width)} height={_quoted(place.height)} rx="{9 if box.leaf else 3}"/>'
    )
    y = top + PADDING + LINE / 2 + 2
    texts = []
    for number, (name, line) in enumerate(place.lines):
        shown = escape(printable(line))
        texts.append(
            f'<text class="{name}" x={_quoted(place.x)} y={_quoted(y + number * LINE)}>{shown}</text>'
        )
    return shape + "".join(texts)


def _quoted(number: float) -> str:
    return f'"{number:.0f}"'


def _spots(path: list[Place], shared: bool, fans: bool) -> Iterator[Spot]:
    """Where an edge's gradient may stand, the best place first: on the outer side of the edge, near the end at
    which edges stand apart. That is the lower one if the input is `shared` by several operations. Where an
    operation's edges fan out to several inputs, the outer side is that to which the edge goes."""
    above, below = path[-1], path[-2]
    at_the_top = [(above.x, above.y + above.height / 2 + 17, above.x < below.x - 4)]
    ends = [*pairwise(path)][::-1]
    lower = [
        (
            low.x,
            low.y - low.height / 2 - 8,
            high.x < low.x - 4 if fans and low is path[0] else low.x < high.x - 4,
        )
        for low, high in ends
    ]
    for x, y, left in lower + at_the_top if shared else at_the_top + lower:
        for side in (left, not left):
            yield x + (-6 if side else 6), y, side


def _free(spots: Iterable[Spot], label: str, taken: list[Area]) -> Spot:
    """The first place at which a gradient covers nothing, or the first of all."""
    first, *others = spots
    return next(
        (spot for spot in (first, *others) if not _covers(_extent(label, *spot), taken)), first
    )


def _covers(area: Area, taken: list[Area]) -> bool:
    left, top, right, bottom = area
    return any(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for other in taken
    )


def _around(place: Place) -> Area:
    wide, high = place.width / 2, place.height / 2
    return place.x - wide, place.y - high, place.x + wide, place.y + high


def _extent(label: str, x: float, y: float, left: bool) -> Area:
    """What a gradient covers."""
    width = len(label) * CHARACTER * SMALL + 4
    return x - width * left, y - 9, x + width * (not left), y + 3


def _gradient(label: str, x: float, y: float, left: bool) -> tuple[str, float, float]:
    """A gradient beside an arrow, and how far it reaches to both sides."""
    named = "g left" if left else "g"
    text = f'<text class="{named}" x={_quoted(x)} y={_quoted(y)}>{escape(printable(label))}</text>'
    start, _, end, _ = _extent(label, x, y, left)
    return text, start, end


def _arrow(path: list[Place], idle: bool) -> str:
    """An edge from an operation up to its input."""
    first, *rest = path
    x, y = first.x, first.y - first.height / 2
    drawn = f"M{x:.0f} {y:.0f}"
    for place in rest:
        end = place.y + place.height / 2
        bend = (y + end) / 2
        drawn += f"C{x:.0f} {bend:.0f} {place.x:.0f} {bend:.0f} {place.x:.0f} {end:.0f}"
        x, y = place.x, end
        if place is not rest[-1]:
            y = place.y - place.height / 2
            drawn += f"L{x:.0f} {y:.0f}"
    named = ' class="idle"' if idle else ""
    return f'<path{named} d="{drawn}{HEAD}"/>'


def _started(box: Box) -> str:
    return " then ".join(box.arriving[:2])


def _below(place: Place) -> Spot:
    return place.x + 6, place.y + place.height / 2 + 20, False


def _start(box: Box, place: Place) -> tuple[str, float]:
    """The gradient with which a backward pass starts, and how far it reaches to the right."""
    x, y = place.x, place.y + place.height / 2
    text, _, right = _gradient(_started(box), *_below(place))
    return f'<path d="M{x:.0f} {y + 22:.0f}V{y:.0f}{HEAD}"/>{text}', right
