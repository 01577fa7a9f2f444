"""Drawings of many cases, kept for the next time: to make them all takes some seconds."""

from __future__ import annotations

import json
from pathlib import Path

from gradspec.spec.model import Spec
from gradspec.spec.reading.cache import FOLDER, Cache, code_key, key_of
from gradspec.spec.reading.folder import ROOT

from .recording import graph_of
from .svg import svg_of

HERE = Path(__file__).parent
MANY = 1000
"""Of a specification with so many cases the drawings are kept."""


def drawings_of(spec: Spec) -> dict[str, str]:
    """The drawings of the first case of each behavior that was written by hand, by the cases' ids."""
    if len(spec.cases) < MANY:
        return _drawn(spec)
    cache = Cache(ROOT / FOLDER)
    folders = (ROOT, HERE, ROOT.parent / "adapters", ROOT.parent / "reference_impl")
    key = key_of([code_key(*folders), spec.digest])
    kept = cache.read("drawings", key)
    found: dict[str, str] = json.loads(kept) if kept is not None else _drawn(spec)
    if kept is None:
        cache.write("drawings", key, json.dumps(found).encode())
    return found


def _drawn(spec: Spec) -> dict[str, str]:
    found = {}
    for behavior in spec.behaviors:
        case = behavior.cases[0] if behavior.cases else None
        if case is not None and not case.generated and (graph := graph_of(case)):
            found[case.id] = svg_of(graph)
    return found
