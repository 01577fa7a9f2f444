"""Text and programs as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gradspec.spec.reading.guides import REFERENCE
from markupsafe import Markup

from ..markup import prose

Links = Mapping[str, str]
"""The addresses of chapters and behaviors within the book."""


def linked(text: str, links: Links, titles: Mapping[str, str]) -> Markup:
    """As `prose`, with `[[leaf.user-created|its text]]` as a link."""
    shown, end = [], 0
    for found in REFERENCE.finditer(text):
        name, label = found[1], found[2]
        shown.append(prose(text[end : found.start()]))
        inside = prose(label) if label else prose(titles.get(name, f"`{name}`"))
        link = Markup('<a href="{}">{}</a>').format(links[name], inside)
        shown.append(link if name in links else inside)
        end = found.end()
    return Markup("").join([*shown, prose(text[end:])])


def plain(text: str) -> str:
    """Text without marks: as an index or the title of a page has it."""
    return " ".join(
        REFERENCE.sub(lambda found: found[2] or found[1], text).replace("`", "").split()
    )


def first_sentence(text: str) -> str:
    """The first sentence of a paragraph."""
    return re.split(r"(?<=[.:?!]) (?=[A-Z`])", " ".join(text.split()), maxsplit=1)[0]


def anchored(source: Any) -> dict[str, str]:
    """A source, with a link only where it is an address on the web."""
    where = source.where if source.where.startswith(("https://", "http://")) else ""
    return {"title": source.note or source.title, "of": source.title, "where": where}
