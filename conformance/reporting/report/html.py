"""The report as one self-contained HTML page.

The rows of the matrix are HTML. Their contents are JSON within the page, rendered when a row is
opened, so that a page with thousands of cases opens at once.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from ...text import json_text, printable
from .data import strange_told

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
    return printable(page.render(report=report, marks=MARKS, totals=totals).lstrip())


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


def engine_of_page(engine: Data) -> Data:
    """The data about an engine that the page's script needs."""
    return {"name": engine["name"], "impl": engine["impl"]}


def chapter_of_page(chapter: Data, engines: list[Data]) -> Data:
    """The contents of a chapter's rows, by the ids of its behaviors."""
    keys = [engine["key"] for engine in engines]
    return {behavior["id"]: behavior_of_page(behavior, keys) for behavior in chapter["behaviors"]}


def behavior_of_page(behavior: Data, keys: list[str]) -> Data:
    since = f", since PyTorch {behavior['since']}" if behavior["since"] else ""
    shown: Data = {
        "level": f"{behavior['strength']}, {behavior['level']}{since}",
        "sources": [[item["title"], item["where"], item["note"]] for item in behavior["sources"]],
        "cases": [case_of_page(case, keys) for case in behavior["cases"]],
    }
    for name in ("refuses", "pitfall", "differs", "folklore"):
        if behavior[name]:
            shown[name] = behavior[name]
    return shown


def case_of_page(case: Data, keys: list[str]) -> Data:
    """A case; engines with the same result share one line."""
    together: dict[str, tuple[list[int], Data]] = {}
    for index, key in enumerate(keys):
        result = {name: value for name, value in case["results"][key].items() if name != "seconds"}
        if "expected" in result:
            file = case["place"].rpartition(":")[0]
            result["place"] = f"{file}:{result['line']}" if "line" in result else case["place"]
            together[str(index)] = ([index], result)  # each has a command of its own
        else:
            together.setdefault(json.dumps(result, sort_keys=True), ([], result))[0].append(index)
    shown: Data = {"id": case["id"], "name": case["name"], "program": case["program"]}
    if case["row"]:
        shown["row"] = case["row"]
    if case["values"]:
        shown["values"] = case["values"]
    shown["results"] = list(together.values())
    return shown


def chapter_totals(chapter: Data, engines: list[Data]) -> list[Data]:
    """For each engine how many behaviors of a chapter hold, of those that it attempts."""
    totals = []
    for engine in engines:
        found = Counter(item["results"][engine["key"]]["status"] for item in chapter["behaviors"])
        held = found["holds"] + found["partly"] + found["unexpected-pass"]
        tried = held + found["fails"] + found["known"]
        status = next((name for name in ("fails", "unexpected-pass", "known") if found[name]), "holds")
        told = ", ".join(f"{count} {name}" for name, count in found.most_common())
        shown = (
            f"{held}/{tried}" if tried else MARKS["missing" if found["missing"] else "unsupported"]
        )
        totals.append({
            "status": status if tried else "unsupported", "shown": shown, "told": f"{engine['name']}: {told}",
        })  # fmt: skip
    return totals
