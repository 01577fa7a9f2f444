"""The report as Markdown: scores, then what fails, engine by engine.

Anything from engines, journals or specifications is written as text (`plain`) or as code
(`code`): neither can create a heading, a row, a link, an image or HTML.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ...judging.verdict import FAILED
from ...text import printable
from .data import strange_told

Data = dict[str, Any]
MARKS = {"holds": "✓", "fails": "✗", "known": "known", "partly": "(✓)",
         "unexpected-pass": "unexpected-pass", "unsupported": "–", "missing": "?"}  # fmt: skip
MOST_CAUSES = 25
TOLD = frozenset({*FAILED, "unexpected-pass", "known"})
Found = tuple[str, bool, Data]
"""A case, whether it counts in the main score, and an engine's result."""
_MARKUP = re.compile(
    r"[\\`*\[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<!\S)#|:(?=//)|(?<=www)\.",
    re.IGNORECASE,
)
_AT_THE_START = re.compile(r"^([-+=]|\d+[.)](?!\S))")


def markdown_of(report: Data) -> str:
    """The whole report."""
    engines = report["engines"]
    lines = ["# gradspec behavior report", ""]
    lines.append(f"{report['spec']['behaviors']} behaviors, {report['spec']['cases']} cases, "
                 f"specification {report['spec']['digest']}.")  # fmt: skip
    lines += ["", "Scores are passed / attempted / all. MUST counts documented and implied behaviors; the rest is "
              "SHOULD, MAY, observed behaviors, and conventions.",
              "Baselines are engines that compute nothing.", ""]  # fmt: skip
    lines += ["| engine | version | device | MUST | the rest | failed during setup | run |",
              "|---|---|---|---|---|--:|---|"]  # fmt: skip
    for engine in engines:
        run = "complete" if engine["complete"] else f"incomplete, {engine['missing']} cases missing"
        if not engine["same_spec"]:
            run += ", against another specification"
        if engine["strange"]:
            run += f"; {strange_told(engine)}"
        named = " | ".join(plain(engine[name]) for name in ("name", "version", "device"))
        lines.append(f"| {named} | {told(engine['scores']['must'])} "
                     f"| {told(engine['scores']['rest'])} "
                     f"| {sum(score['setup'] for score in engine['scores'].values())} | {run} |")  # fmt: skip
    for baseline in report["baselines"]:
        lines.append(f"| *baseline: {baseline['name']}* | | | {told(baseline['scores']['must'])} "
                     f"| {told(baseline['scores']['rest'])} | | |")  # fmt: skip
    lines += _changes(report)
    lines += _matrix(report)
    lines += _folklore(report)
    found = _found(report)
    for engine in engines:
        lines += _failures(engine, found[engine["key"]])
    return printable("\n".join(lines) + "\n")


def told(score: Data) -> str:
    return f"{score['passed']} / {score['attempted']} / {score['all']}"


@lru_cache(maxsize=1 << 12)  # a failure of one kind has mostly one message
def plain(text: object) -> str:
    """A text of any kind as a part of a line that shows it, and does nothing else."""
    line = _MARKUP.sub(r"\\\g<0>", " ".join(printable(text).split()))
    start = _AT_THE_START.match(line)
    return f"{line[: start.end() - 1]}\\{line[start.end() - 1 :]}" if start else line


def code(text: object, cell: bool = False) -> str:
    """Any text as inline code, optionally for a cell of a table."""
    line = " ".join(printable(text).split())
    runs = re.findall("`+", line) if "`" in line else ()
    fence = "`" * (1 + max(map(len, runs), default=0))
    space = " " if not line or "`" in (line[0], line[-1]) else ""
    return f"{fence}{space}{line.replace('|', f'{chr(92)}|') if cell else line}{space}{fence}"


def prose(text: object) -> str:
    """Any text in which backquotes mark code, as in statements and titles."""
    parts = str(text).split("`")
    if len(parts) % 2 == 0 or not all(part.strip() for part in parts[1::2]):
        return plain(text)
    shown = []
    for index, part in enumerate(parts):
        if "|" in part or not index % 2:  # a bar in code shows as it should in cells only
            space = [" " if part[end : end + 1 or None].isspace() else "" for end in (0, -1)]
            shown.append(space[0] + plain(part) + (space[1] if part.strip() else ""))
        else:
            shown.append(code(part))
    return "".join(shown).strip()


def _changes(report: Data) -> list[str]:
    if not report["against"]:
        return []
    lines = ["", "## Changes", ""]
    names = {engine["key"]: f"{engine['name']} {engine['version']}" for engine in report["engines"]}
    for about in report["against"]:
        count = sum(change["engine"] == about["engine"] for change in report["changes"])
        line = (f"- {plain(names[about['engine']])}, compared with {plain(about['version'] or 'the earlier run')}: "
                f"{count} of {about['compared']} cases changed")  # fmt: skip
        if about["not_run"]:
            line += f", {about['not_run']} cases of the earlier run have no verdict in this one"
        lines.append(line + ("." if about["same_spec"] else "; the specification changed too."))
    if report["changes"]:
        lines += ["", "| case | engine | before | after |", "|---|---|---|---|"]
    for item in report["changes"]:
        lines.append(f"| {code(item['case'], cell=True)} | {plain(item['engine'])} "
                     f"| {item['before']} | {item['after']} |")  # fmt: skip
    return lines


def _matrix(report: Data) -> list[str]:
    engines = report["engines"]
    lines = [
        "",
        "## Behaviors",
        "",
        "✓ holds, ✗ fails, (✓) holds as far as attempted, – unsupported",
        "",
    ]
    lines.append("| behavior | " + " | ".join(plain(engine["key"]) for engine in engines) + " |")
    lines.append("|---|" + "---|" * len(engines))
    for chapter in report["chapters"]:
        lines.append(f"| **{plain(chapter['title'])}** |" + " |" * len(engines))
        for behavior in chapter["behaviors"]:
            cells = " | ".join(
                MARKS[behavior["results"][engine["key"]]["status"]] for engine in engines
            )
            lines.append(
                f"| {code(behavior['id'], cell=True)} {prose(behavior['statement'])} | {cells} |"
            )
    return lines


def _folklore(report: Data) -> list[str]:
    found = [
        item for chapter in report["chapters"] for item in chapter["behaviors"] if item["folklore"]
    ]
    if not found:
        return []
    lines = ["", "## Common misconceptions", ""]
    lines += [
        f"- *{prose(item['folklore'])}* In fact: {prose(item['statement'])} ({code(item['id'])})"
        for item in found
    ]
    return lines


def _failures(engine: Data, found: list[Found]) -> list[str]:
    """An engine's failures: the causes, every case, and separately the known failures."""
    title = plain(f"{engine['name']} {engine['version']}")
    lines = ["", f"## What {title} fails", ""]
    failed = [item for item in found if item[2]["verdict"] != "known"]
    known = [item for item in found if item[2]["verdict"] == "known"]
    if engine["causes"]:
        lines += ["What to fix first:", ""]
    for cause in engine["causes"][:MOST_CAUSES]:
        lines.append(f"1. {prose(cause['title'])}: {cause['cases']} case{'s' if cause['cases'] != 1 else ''}, "
                     f"such as {code(cause['example'])}")  # fmt: skip
    if engine["causes"]:
        lines += ["", "Case by case:", ""]
    for case, must, result in failed:
        apart = "" if must else " (scored separately)"
        lines.append(f"- {code(case)}{apart}: {result['verdict']}, {plain(result.get('kind', ''))}: "
                     f"{plain(result.get('message', ''))}")  # fmt: skip
    if known:
        lines += [""] * bool(failed) + ["Known failures, with their reasons:", ""]
    for case, must, result in known:
        apart = "" if must else " (scored separately)"
        lines.append(f"- {code(case)}{apart}: {plain(result.get('reason', ''))}")
    if not failed and not known:
        lines.append("No failures." if engine["complete"] else "Nothing so far.")
    return lines


def _found(report: Data) -> dict[str, list[Found]]:
    """For each engine what it fails, in order."""
    found: dict[str, list[Found]] = {engine["key"]: [] for engine in report["engines"]}
    for chapter in report["chapters"]:
        for behavior in chapter["behaviors"]:
            for case in behavior["cases"]:
                for key, result in case["results"].items():
                    if result["verdict"] in TOLD:
                        found[key].append((case["id"], behavior["must"], result))
    return found
