"""An engine's score as a small picture for a README."""

from __future__ import annotations

from html import escape
from typing import Any

COLORS = {"brightgreen": "#2f7d32", "yellow": "#8a6d00", "orange": "#b4530a"}
"""White text can be read on each of them."""
LABEL = "gradspec"
CHARACTER = 6.6
PADDING = 7


def badge_svg(engine: dict[str, Any]) -> str:
    """A badge such as `gradspec | 95% of 33%`: what passes of what is supported, of how much."""
    told = f"{engine['passes']} of {engine['supports']}" if engine["complete"] else "incomplete run"
    left, right = _width(LABEL), _width(told)
    color = COLORS.get(engine["badge"]["color"], COLORS["orange"])
    meaning = (
        f"{LABEL}: passes {engine['passes']} of what it supports; supports {engine['supports']}"
    )
    title = escape(meaning if engine["complete"] else f"{LABEL}: {told}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#4a4f55"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{color}"/></g>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{left / 2}" y="14">{LABEL}</text>'
        f'<text x="{left + right / 2}" y="14">{escape(told)}</text></g></svg>'
    )


def _width(text: str) -> int:
    return round(len(text) * CHARACTER) + 2 * PADDING
