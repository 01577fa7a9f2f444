"""How an engine changed from version to version, drawn from several journals of it."""

from __future__ import annotations

import re
from html import escape
from typing import Any

Data = dict[str, Any]
WIDTH, HEIGHT, LEFT, BOTTOM = 520.0, 150.0, 44.0, 34.0
LINES = (("passes, of what it supports", "must", "passed", "attempted"),
         ("supports, of all", "must", "attempted", "all"))  # fmt: skip


def trends_of(engines: list[Data]) -> dict[str, str]:
    """For each engine of which there are complete runs of several versions on one device an SVG of its
    scores, by the keys of these runs."""
    groups: dict[tuple[str, str], list[Data]] = {}
    for engine in engines:
        if engine["complete"]:
            groups.setdefault((engine["name"], engine["device"]), []).append(engine)
    return {
        run["key"]: drawn
        for (name, _), runs in groups.items()
        if len({run["version"] for run in runs}) > 1
        for drawn in [_drawn(name, runs)]
        for run in runs
    }


def _drawn(name: str, runs: list[Data]) -> str:
    runs = sorted(runs, key=lambda run: _version_key(run["version"]))
    step = (WIDTH - LEFT - 30) / (len(runs) - 1)
    parts = [_mark(share) for share in (0, 50, 100)]
    told = []
    for number, (label, score, part, whole) in enumerate(LINES):
        points = []
        for index, run in enumerate(runs):
            found = run["scores"][score]
            share = 100 * found[part] / max(found[whole], 1)
            points.append((LEFT + index * step, _y(share), share))
        line = " ".join(f"{x:.0f},{y:.0f}" for x, y, _ in points)
        parts.append(f'<polyline class="line{number}" points="{line}"/>')
        parts += [
            f'<circle class="line{number}" cx="{x:.0f}" cy="{y:.0f}" r="3"/>' for x, y, _ in points
        ]
        told.append(f"{label}: " + ", ".join(f"{share:.0f}%" for _, _, share in points))
    for index, run in enumerate(runs):
        at = "end" if index == len(runs) - 1 else "start" if index == 0 else "middle"
        parts.append(f'<text x="{LEFT + index * step:.0f}" y="{HEIGHT - BOTTOM + 20:.0f}" text-anchor="{at}">'
                     f"{escape(run['version'] or run['label'])[:14]}</text>")  # fmt: skip
    title = escape(f"{name} over {len(runs)} runs; " + "; ".join(told), quote=True)
    return (f'<svg class="trend" role="img" aria-label="{title}" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" '
            f'width="{WIDTH:.0f}" height="{HEIGHT:.0f}">{"".join(parts)}</svg>')  # fmt: skip


def _mark(share: int) -> str:
    return (f'<path d="M{LEFT:.0f} {_y(share):.0f}H{WIDTH - 20:.0f}"/>'
            f'<text class="axis" x="{LEFT - 8:.0f}" y="{_y(share) + 4:.0f}">{share}%</text>')  # fmt: skip


def _y(share: float) -> float:
    return 12 + (HEIGHT - BOTTOM - 12) * (1 - share / 100)


def _version_key(version: str) -> list[tuple[int, int, str]]:
    """Versions in the order of their numbers: 1.9 before 1.10."""
    parts = re.findall(r"\d+|\D+", version)
    return [
        (0, int(part[:9]), "") if part.isdigit() and part.isascii() else (1, 0, part)
        for part in parts
    ]
