"""The report as one self-contained HTML page.

The rows of the matrix are HTML. Their contents are JSON within the page, rendered when a row is
opened, so that a page with thousands of cases opens at once.
"""

from __future__ import annotations

import base64
import lzma
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gradspec.spec.catalogue.laws import CHAPTER as LAWS
from markupsafe import Markup

from ...judging.verdict import FAILED
from ...text import json_text, printable
from ..drawing import SIZES, STYLE
from ..markup import CONSTANTS, KEYWORDS, breakable, code, prose
from ..templates import templates_in
from .changes import transitions_of
from .data import strange_told
from .heat import heat_of
from .page import OF_RESULTS, changes_of_page, chapter_of_page, engine_of_page
from .trend import trends_of

Data = dict[str, Any]
EXAMPLE = "accumulation.second-pass-adds"
"""The behavior that the first screen shows as an example."""
PACKED_FROM = 150_000
"""A page with so much data has it compressed."""

PACKING = [{"id": lzma.FILTER_LZMA1, "preset": 6, "lc": 3, "lp": 0, "pb": 0, "nice_len": 128}]
MARKS = {
    "holds": "✓",
    "fails": "✗",
    "known": "k",
    "unexpected-pass": "!",
    "partly": "◐",
    "unsupported": "·",
    "missing": "?",
}


def begin_html(report: Data) -> Callable[[], str]:
    """Begin the page, and return what ends it. Meanwhile a thread compresses its data, for which that needs no
    interpreter."""
    engines = sorted(report["engines"], key=_failures)  # fewest first
    pages = {
        chapter["name"]: chapter_of_page(chapter, engines, report["drawings"])
        for chapter in report["chapters"]
    }
    whole = by_kind(pages)
    if len(whole) < PACKED_FROM:
        return lambda: _rendered(report, engines, pages, None)
    thread = ThreadPoolExecutor(1)
    packing = thread.submit(packed, whole)
    thread.shutdown(wait=False)
    return lambda: _rendered(report, engines, {}, packing.result)


def _rendered(
    report: Data, engines: list[Data], pages: dict[str, Data], pack: Callable[[], Data] | None
) -> str:
    keys = [engine["key"] for engine in engines]
    environment = templates_in(Path(__file__).with_name("templates"))
    environment.filters.update(
        prose=prose,
        breakable=breakable,
        data=data,
        code=highlighted,
        engine_of_page=engine_of_page,
        strange_told=strange_told,
        marks=lambda results: "".join(MARKS[results[key]["status"]] for key in keys),
        transitions=transitions_of,
    )
    shown = environment.get_template("report.html.j2").render(
        report=report,
        engines=engines,
        marks=MARKS,
        titles={chapter["name"]: chapter["title"] for chapter in report["chapters"]},
        of_results=OF_RESULTS,
        keywords=KEYWORDS,
        constants=CONSTANTS,
        heat=heat_of(report, engines),
        totals={
            chapter["name"]: chapter_totals(chapter, engines) for chapter in report["chapters"]
        },
        has_laws=any(chapter["name"] == LAWS for chapter in report["chapters"]),
        pages=pages,
        packed=pack,
        changes=changes_of_page(report, engines),
        trends=trends_of(engines),
        example=_example(report),
        drawing_style=STYLE,
        drawing_sizes=SIZES,
        today=datetime.now(UTC).strftime("%-d %B %Y"),
    )
    return printable(shown.lstrip())


def _failures(engine: Data) -> int:
    return sum(engine["counts"].get(name, 0) for name in FAILED)


def _example(report: Data) -> Data | None:
    """A short example of a behavior for the first screen."""
    behaviors = [item for chapter in report["chapters"] for item in chapter["behaviors"]]
    chosen = next((item for item in behaviors if item["id"] == EXAMPLE), None)
    return chosen or next(iter(behaviors), None)


def highlighted(program: str, failing: int = -1) -> Any:
    """A program as HTML with its syntax highlighted; the line that failed, from 0 on, is marked."""
    lines = code(program).split("\n")
    if 0 <= failing < len(lines):
        mark = Markup('<mark>{}</mark><span class="vh"> (this line fails)</span>')
        lines[failing] = mark.format(lines[failing])
    return Markup("\n").join(lines)


def data(value: Any) -> Any:
    """A value as JSON that is safe in a script element: nothing in it ends the element."""
    import markupsafe

    text = json_text(value, separators=(",", ":"))
    return markupsafe.Markup(text.replace("<", "\\u003c"))


def by_kind(pages: dict[str, Data]) -> str:
    """The data of all chapters as JSON: first the names of all, then the programs, and so on. What is alike
    stands together, which makes it smaller by a tenth when it is compressed."""
    kinds = next(iter(pages.values()), {})
    parts = {kind: {name: page[kind] for name, page in pages.items()} for kind in kinds}
    return json_text(parts, separators=(",", ":"))


def packed(text: str) -> Data:
    """A text compressed, as unlzma.js reads it, and its size in bytes."""
    whole = text.encode()
    compressed = lzma.compress(whole, lzma.FORMAT_RAW, filters=PACKING)
    return {"size": len(whole), "text": base64.b64encode(compressed).decode()}


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
            "status": status if tried else "unsupported", "shown": shown, "told": f"{engine['label']}: {told}",
        })  # fmt: skip
    return totals
