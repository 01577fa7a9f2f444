"""Drawings of many cases, kept for the next time: to make them all takes some seconds."""

from __future__ import annotations

import contextlib
import gc
import json
import pickle
from collections.abc import Sequence
from pathlib import Path

from gradspec.spec.model import Case, Chapter, Spec
from gradspec.spec.reading.cache import FOLDER, Cache, code_key, key_of
from gradspec.spec.reading.folder import ROOT
from gradspec.spec.reading.workers import can_share, workers

from .graph import Graph
from .recording import graph_of
from .svg import svg_of

MANY = 1000
"""Of a specification with so many cases the drawings are kept."""
FEW = 4
"""Fewer chapters than this are not worth another process."""
MOST_GRAPHS = 4000
"""So many graphs of single cases are kept, those that were asked for last."""
DECIDING = (ROOT, Path(__file__).parent, ROOT.parent / "adapters", ROOT.parent / "reference_impl")
"""The code that decides what a drawing shows."""
Wanted = tuple[str, Sequence[Case]]
"""The name of a chapter, and those of its cases that are drawn."""


def drawings_of(spec: Spec) -> dict[str, str]:
    """The drawings of the first case of each behavior that was written by hand, and of the cases that
    guides show, by the cases' ids. Those without a graph are left out."""
    kept = Kept(Cache(ROOT / FOLDER if len(spec.cases) >= MANY else None))
    all_wanted = wanted_of(spec)
    kept.draw_ahead(all_wanted)
    return {name: svg for wanted in all_wanted for name, svg in kept.drawings(wanted).items()}


def wanted_of(spec: Spec) -> list[Wanted]:
    """The cases to draw, by chapters."""
    shown = {step.case for chapter in spec.chapters for step in chapter.guide if step.case}
    return [
        (chapter.name, cases) for chapter in spec.chapters if (cases := _drawn_of(chapter, shown))
    ]


def _drawn_of(chapter: Chapter, shown: set[str]) -> list[Case]:
    return [
        case
        for behavior in chapter.behaviors
        for number, case in enumerate(behavior.cases)
        if (number == 0 and not case.generated) or case.id in shown
    ]


class Graphs:
    """The graphs of single cases. `keep` keeps them for the next time, until programs or our code
    change; of a small specification they are made each time."""

    def __init__(self, spec: Spec) -> None:
        self.cache = Cache(ROOT / FOLDER if len(spec.cases) >= MANY else None)
        self.code = code_key(*DECIDING) if self.cache.folder else ""
        kept = self.cache.read("graphs", self.code)
        self.known: dict[str, Graph | None] = pickle.loads(kept) if kept is not None else {}
        self.changed = False

    def of(self, case: Case) -> Graph | None:
        """The graph that a case records; None where there is none to draw."""
        key = key_of([case.id, case.text, repr(case.row)])
        if key in self.known:
            graph = self.known.pop(key)
        else:
            if not self.changed:
                gc.freeze()  # the journals, through which the engine would go to collect garbage
            graph, self.changed = graph_of(case), True
        self.known[key] = graph
        return graph

    def keep(self) -> None:
        """Write what is known, unless that is already written."""
        if self.changed:
            latest = dict(list(self.known.items())[-MOST_GRAPHS:])
            self.cache.write("graphs", self.code, pickle.dumps(latest))


class Kept:
    """Makes drawings, and keeps those of each chapter until its programs or our code change."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.code = code_key(*DECIDING) if cache.folder else ""

    def drawings(self, wanted: Wanted) -> dict[str, str]:
        """The drawings of a chapter, from the cache if nothing changed."""
        name, key = self._entry(wanted)
        kept = self.cache.read(name, key)
        if kept is not None:
            found: dict[str, str] = json.loads(kept)
            return found
        made = {case.id: svg_of(graph) for case in wanted[1] if (graph := graph_of(case))}
        self.cache.write(name, key, json.dumps(made).encode())
        return made

    def draw_ahead(self, all_wanted: Sequence[Wanted]) -> None:
        """Draw what is not kept yet, in as many processes as there are cores; each leaves its drawings
        in the cache."""
        if self.cache.folder is None or not can_share():
            return
        missing = [item for item in all_wanted if self.cache.read(*self._entry(item)) is None]
        if len(missing) < FEW:
            return
        _JOBS[:] = [(self, wanted) for wanted in missing]
        with contextlib.suppress(OSError), workers() as pool:
            pool.map(_draw, range(len(_JOBS)), chunksize=1)
        _JOBS.clear()

    def _entry(self, wanted: Wanted) -> tuple[str, str]:
        """The name of a chapter's entry in the cache, and the key of all that decides what is in it."""
        name, cases = wanted
        parts = [part for case in cases for part in (case.id, case.text, repr(case.row))]
        return f"drawings.{name}", key_of([self.code, *parts])


_JOBS: list[tuple[Kept, Wanted]] = []
"""What the processes draw; they inherit it."""


def _draw(number: int) -> None:
    kept, wanted = _JOBS[number]
    kept.drawings(wanted)
