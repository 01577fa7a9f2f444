"""Draws the graph that a case's program records, as an inline SVG.

    svg = drawing_of(case)                       # "" where the program records no graph
    svg = drawing_of(case, wrong={"w": "2.0"})   # `w.grad` is wrong: the engine found 2.0
    page = f"<style>{STYLE}</style>{svg}"        # colors follow the page's light or dark scheme

The reference engine runs the program, so a drawing shows what should happen. Leaves are at the top,
results at the bottom, and the arrows point the way that gradients flow, each with its gradient.
"""

from __future__ import annotations

from collections.abc import Mapping

from gradspec.spec.model import Case

from .graph import Box, Edge, Graph
from .kept import Graphs, drawings_of
from .recording import Recording, graph_of
from .svg import SIZES, STYLE, plan_of, svg_of
from .wrong import wrong_names

__all__ = [
    "SIZES",
    "STYLE",
    "Box",
    "Edge",
    "Graph",
    "Graphs",
    "Recording",
    "drawing_of",
    "drawings_of",
    "graph_of",
    "plan_of",
    "svg_of",
    "wrong_names",
]


def drawing_of(case: Case, wrong: Mapping[str, str] | None = None) -> str:
    """The graph that a case's program records as an SVG element, or "" if there is none to draw.

    `wrong` names variables whose gradient (or value) an engine gets wrong, with what it found.
    """
    graph = graph_of(case)
    return svg_of(graph, wrong or {}) if graph else ""
