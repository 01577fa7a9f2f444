"""The report as one self-contained HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MARKS = {"holds": "✓", "departs": "✗", "known": "k", "fixed": "!", "partly": "✓", "unsupported": "·", "missing": "?"}


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
    return environment.get_template("report.html.j2").render(report=report, marks=MARKS)
