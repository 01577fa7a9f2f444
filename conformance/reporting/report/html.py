"""The report as one self-contained HTML page.

The rows of the matrix are HTML. Their contents are JSON within the page, rendered when a row is
opened, so that a page with thousands of cases opens at once.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from gradspec.spec.catalogue.laws import CHAPTER as LAWS

from ...text import json_text, printable
from .data import strange_told
from .page import chapter_of_page, engine_of_page

Data = dict[str, Any]
MARKS = {
    "holds": "✓",
    "fails": "✗",
    "known": "k",
    "unexpected-pass": "!",
    "partly": "✓",
    "unsupported": "·",
    "missing": "?",
}


def html_of(report: Data) -> str:
    """Render the page."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        prose=prose,
        short=short,
        data=data,
        engine_of_page=engine_of_page,
        chapter_of_page=chapter_of_page,
        strange_told=strange_told,
    )
    totals = {
        chapter["name"]: chapter_totals(chapter, report["engines"])
        for chapter in report["chapters"]
    }
    page = environment.get_template("report.html.j2")
    has_laws = any(chapter["name"] == LAWS for chapter in report["chapters"])
    shown = page.render(report=report, marks=MARKS, totals=totals, has_laws=has_laws)
    return printable(shown.lstrip())


def prose(text: str) -> Any:
    """Plain text as HTML, with backquoted text as code."""
    import markupsafe

    parts = str(text).split("`")
    if len(parts) % 2 == 0:
        return markupsafe.escape(text)
    shown = [markupsafe.escape(part) for part in parts]
    return markupsafe.Markup("").join(
        markupsafe.Markup("<code>{}</code>").format(part) if index % 2 else part
        for index, part in enumerate(shown)
    )


def short(name: str) -> str:
    """An engine's name, shortened for a narrow column."""
    return name.removeprefix("module:").rpartition("/")[2] or name


def data(value: Any) -> Any:
    """A value as JSON that is safe in a script element: nothing in it ends the element."""
    import markupsafe

    text = json_text(value, separators=(",", ":"))
    return markupsafe.Markup(text.replace("<", "\\u003c"))


def chapter_totals(chapter: Data, engines: list[Data]) -> list[Data]:
    """For each engine how many behaviors of a chapter hold, of those that it attempts."""
    totals = []
    for engine in engines:
        found = Counter(item["results"][engine["key"]]["status"] for item in chapter["behaviors"])
        held = found["holds"] + found["partly"] + found["unexpected-pass"]
        tried = held + found["fails"] + found["known"]
        status = next(
            (name for name in ("fails", "unexpected-pass", "known") if found[name]), "holds"
        )
        told = ", ".join(f"{count} {name}" for name, count in found.most_common())
        shown = (
            f"{held}/{tried}" if tried else MARKS["missing" if found["missing"] else "unsupported"]
        )
        totals.append({
            "status": status if tried else "unsupported", "shown": shown, "told": f"{engine['name']}: {told}",
        })  # fmt: skip
    return totals
