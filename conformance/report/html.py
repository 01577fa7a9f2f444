"""The report as one self-contained HTML page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

MARKS = {
    "holds": "✓",
    "departs": "✗",
    "known": "k",
    "fixed": "!",
    "partly": "✓",
    "unsupported": "·",
    "missing": "?",
}


def html_of(report: dict[str, Any]) -> str:
    """Render the page."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["prose"] = prose
    environment.filters["css_name"] = css_name
    return environment.get_template("report.html.j2").render(report=report, marks=MARKS)


def prose(text: str) -> Any:
    """Plain text as HTML, with `code` set as such."""
    import markupsafe

    parts = str(text).split("`")
    if len(parts) % 2 == 0:
        return markupsafe.escape(text)
    shown = [markupsafe.escape(part) for part in parts]
    return markupsafe.Markup("").join(
        markupsafe.Markup("<code>{}</code>").format(part) if index % 2 else part
        for index, part in enumerate(shown)
    )


def css_name(text: str) -> str:
    """A name as part of an attribute's name, as the page's script writes it too."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())
