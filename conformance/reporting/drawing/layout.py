"""Where the boxes of a graph stand: leaves above the operations that use them, results at the bottom."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from .graph import Box, Graph

CHARACTER = 7.3
LINE = 16.0
PADDING = 8.0
BETWEEN = 30.0
"""The distance of boxes beside each other."""
LAYERS = 38.0
"""The distance of rows of boxes, in which the gradients stand."""
SWEEPS = 4


@dataclass
class Place:
    """A box, or a point that a long edge passes, with its center and size."""

    width: float
    height: float
    lines: list[tuple[str, str]] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0


@dataclass
class Layout:
    """Places by the indices of their boxes; for each edge the points that it passes; the size."""

    places: list[Place]
    paths: list[list[Place]]
    width: float
    height: float


def laid_out(graph: Graph, lines: list[list[tuple[str, str]]]) -> Layout:
    """Find a place for each box, whose text is `lines`."""
    places = [_sized(text) for text in lines]
    layers = _layers(graph)
    rows: list[list[Place]] = [[] for _ in range(max(layers) + 1)]
    for index, place in enumerate(places):
        rows[layers[index]].append(place)
    paths = [
        [
            places[edge.source],
            *_points(rows, layers[edge.source], layers[edge.target]),
            places[edge.target],
        ]
        for edge in graph.edges
    ]
    near = _neighbours(paths)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else reversed(rows):
            _ordered(row, near)
    for _ in range(SWEEPS):
        for row in (*reversed(rows), *rows):
            _shifted(row, near)
    _stacked(rows)
    left = min(place.x - place.width / 2 for row in rows for place in row)
    for row in rows:
        for place in row:
            place.x = round(place.x - left)  # as drawing.js has it
    width = max(place.x + place.width / 2 for row in rows for place in row)
    bottom = max(place.y + place.height / 2 for row in rows for place in row)
    return Layout(places, paths, width, bottom)


def _sized(text: list[tuple[str, str]]) -> Place:
    longest = max(len(line) for _, line in text)
    return Place(longest * CHARACTER + 2 * PADDING, len(text) * LINE + 2 * PADDING - 4, text)


def _layers(graph: Graph) -> list[int]:
    """The row of each box: below all of its inputs, and a leaf right above the first that uses it."""
    inputs: dict[int, list[int]] = {}
    users: dict[int, list[int]] = {}
    for edge in graph.edges:
        inputs.setdefault(edge.source, []).append(edge.target)
        users.setdefault(edge.target, []).append(edge.source)
    depth: dict[int, int] = {}

    def depth_of(index: int) -> int:
        if index not in depth:
            depth[index] = 0
            depth[index] = max((depth_of(other) + 1 for other in inputs.get(index, ())), default=0)
        return depth[index]

    layers = [depth_of(index) for index in range(len(graph.boxes))]
    for index, box in enumerate(graph.boxes):
        if _is_top(box, index, inputs) and index in users:
            layers[index] = min(layers[user] for user in users[index]) - 1
    return layers


def _is_top(box: Box, index: int, inputs: dict[int, list[int]]) -> bool:
    return box.leaf or index not in inputs


def _points(rows: list[list[Place]], source: int, target: int) -> list[Place]:
    """Points in the rows between the ends of an edge, from its source on."""
    found = []
    for row in range(source - 1, target, -1):
        point = Place(8.0, 1.0)
        rows[row].append(point)
        found.append(point)
    return found


def _neighbours(paths: list[list[Place]]) -> dict[int, list[Place]]:
    near: dict[int, list[Place]] = {}
    for path in paths:
        for first, second in pairwise(path):
            near.setdefault(id(first), []).append(second)
            near.setdefault(id(second), []).append(first)
    return near


def _ordered(row: list[Place], near: dict[int, list[Place]]) -> None:
    """Sort a row by where the neighbours of its places are, and put it side by side."""
    wanted = {id(place): _middle(place, near) for place in row}
    row.sort(key=lambda place: wanted[id(place)])
    x = 0.0
    for place in row:
        place.x = x + place.width / 2
        x += place.width + BETWEEN
    for place in row:
        place.x -= x / 2


def _middle(place: Place, near: dict[int, list[Place]]) -> float:
    others = near.get(id(place), [])
    return sum(other.x for other in others) / len(others) if others else place.x


def _shifted(row: list[Place], near: dict[int, list[Place]]) -> None:
    """Move each place towards its neighbours as far as those beside it leave room."""
    for index, place in enumerate(row):
        wanted = _middle(place, near)
        if index:
            before = row[index - 1]
            wanted = max(wanted, before.x + before.width / 2 + BETWEEN + place.width / 2)
        if index + 1 < len(row):
            after = row[index + 1]
            wanted = min(wanted, after.x - after.width / 2 - BETWEEN - place.width / 2)
        place.x = wanted


def _stacked(rows: list[list[Place]]) -> None:
    """Give each row its height."""
    y = 0.0
    for row in rows:
        height = max(place.height for place in row)
        for place in row:
            place.y = y + height / 2
            if not place.lines:  # a long edge bends between the rows, and passes beside boxes
                place.height = height
        y += height + LAYERS
