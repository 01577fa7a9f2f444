"""The heat map: chapters by engines, how many cases of each pass, are known failures, fail, or need
what the engine does not support."""

from __future__ import annotations

from collections import Counter
from typing import Any

Data = dict[str, Any]
KINDS = ("pass", "known", "fail")
"""What a bar stacks, from the left; the rest of it is unsupported."""
LEAST = 3.0
"""How many percent of a bar a kind takes at least, so that one failure in thousands is seen."""
_KIND = {
    "pass": "pass",
    "unexpected-pass": "pass",
    "known": "known",
    "fail": "fail",
    "crash": "fail",
    "timeout": "fail",
    "flaky": "fail",
    "unsupported": "unsupported",
    "missing": "missing",
}


def heat_of(report: Data, engines: list[Data]) -> list[Data]:
    """A row for each chapter, with a cell for each engine; those with most failures first."""
    rows = [_row(chapter, number, engines) for number, chapter in enumerate(report["chapters"])]
    return sorted(rows, key=lambda row: -row["fails"])


def _row(chapter: Data, number: int, engines: list[Data]) -> Data:
    count = sum(len(behavior["cases"]) for behavior in chapter["behaviors"])
    cells = []
    for index, engine in enumerate(engines):
        found: Counter[str] = Counter()
        for verdict, cases in chapter["counts"][engine["key"]].items():
            found[_KIND[verdict]] += cases
        cells.append(_cell(found, count, engine, index))
    return {
        "name": chapter["name"],
        "title": chapter["title"],
        "number": number,
        "cases": count,
        "fails": sum(cell["fails"] for cell in cells),
        "attempted": any(cell["attempted"] for cell in cells),
        "cells": cells,
    }


def _cell(found: Counter[str], cases: int, engine: Data, index: int) -> Data:
    told = [f"{found[name]} {name}" for name in (*KINDS, "unsupported", "missing") if found[name]]
    shares = [100 * found[name] / max(cases, 1) for name in KINDS]
    seen = [max(share, LEAST) if share else 0.0 for share in shares]
    scale = min(1.0, 100 / max(sum(seen), 1))
    ends = [f"{scale * sum(seen[: place + 1]):.3g}" for place in range(len(KINDS))]
    return {
        "engine": index,
        "ends": ends,
        "fails": found["fail"],
        "attempted": sum(found[name] for name in KINDS),
        "told": f"{engine['label']}: {', '.join(told) or 'no cases'}",
    }
