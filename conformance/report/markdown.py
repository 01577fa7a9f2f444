"""The report as Markdown: scores, then what departs, engine by engine."""

from __future__ import annotations

from typing import Any

Data = dict[str, Any]
MARKS = {"holds": "✓", "departs": "✗", "known": "known", "fixed": "fixed", "partly": "(✓)", "unsupported": "–",
         "missing": "?"}  # fmt: skip


MOST_CAUSES = 25


def markdown_of(report: Data) -> str:
    """The whole report."""
    engines = report["engines"]
    lines = ["# gradspec behavior report", ""]
    lines.append(f"{report['spec']['behaviors']} behaviors, {report['spec']['cases']} cases, "
                 f"specification {report['spec']['digest']}.")  # fmt: skip
    lines += ["", "Scores are passed / attempted / all. MUST counts what is documented or implied; the rest is "
              "SHOULD, MAY, only observed, or a convention.",
              "Baselines are engines that compute nothing.", ""]  # fmt: skip
    lines += ["| engine | version | device | MUST | the rest | run |", "|---|---|---|---|---|---|"]
    for engine in engines:
        run = "complete" if engine["complete"] else f"incomplete, {engine['missing']} cases missing"
        if not engine["same_spec"]:
            run += ", against another specification"
        named = f"{engine['name']} | {engine['version']} | {engine['device']}"
        lines.append(f"| {named} | {told(engine['scores']['must'])} "
                     f"| {told(engine['scores']['rest'])} | {run} |")  # fmt: skip
    for baseline in report["baselines"]:
        lines.append(f"| *baseline: {baseline['name']}* | | | {told(baseline['scores']['must'])} "
                     f"| {told(baseline['scores']['rest'])} | |")  # fmt: skip
    if report["changes"]:
        lines += ["", "## Changes", "", "| case | before | after |", "|---|---|---|"]
        lines += [
            f"| `{item['case']}` | {item['before']} | {item['after']} |"
            for item in report["changes"]
        ]
    lines += _matrix(report)
    lines += _folklore(report)
    for engine in engines:
        lines += _departures(report, engine)
    return "\n".join(lines) + "\n"


def told(score: Data) -> str:
    return f"{score['passed']} / {score['attempted']} / {score['all']}"


def _matrix(report: Data) -> list[str]:
    engines = report["engines"]
    lines = [
        "",
        "## Behaviors",
        "",
        "✓ holds, ✗ departs, (✓) holds as far as attempted, – not offered",
        "",
    ]
    lines.append("| behavior | " + " | ".join(engine["key"] for engine in engines) + " |")
    lines.append("|---|" + "---|" * len(engines))
    for chapter in report["chapters"]:
        lines.append(f"| **{chapter['title']}** |" + " |" * len(engines))
        for behavior in chapter["behaviors"]:
            cells = " | ".join(
                MARKS[behavior["results"][engine["key"]]["status"]] for engine in engines
            )
            lines.append(f"| `{behavior['id']}` {_escaped(behavior['statement'])} | {cells} |")
    return lines


def _folklore(report: Data) -> list[str]:
    found = [
        item for chapter in report["chapters"] for item in chapter["behaviors"] if item["folklore"]
    ]
    if not found:
        return []
    lines = ["", "## Often said, and wrong", ""]
    lines += [
        f"- *{item['folklore']}* In truth: {item['statement']} (`{item['id']}`)" for item in found
    ]
    return lines


def _departures(report: Data, engine: Data) -> list[str]:
    lines = ["", f"## Where {engine['name']} {engine['version']} departs", ""]
    if engine["causes"]:
        lines += ["What to fix first:", ""]
    for cause in engine["causes"][:MOST_CAUSES]:
        lines.append(f"1. {_escaped(cause['title'])}: {cause['cases']} case{'s' if cause['cases'] != 1 else ''}, "
                     f"such as `{cause['example']}`")  # fmt: skip
    if engine["causes"]:
        lines += ["", "Case by case:", ""]
    for chapter in report["chapters"]:
        for behavior in chapter["behaviors"]:
            for case in behavior["cases"]:
                result = case["results"][engine["key"]]
                if result["verdict"] in ("fail", "crash", "timeout", "fixed"):
                    apart = "" if behavior["must"] else " (scored apart)"
                    lines.append(f"- `{case['id']}`{apart}: {result['verdict']}, {result.get('kind', '')}: "
                                 f"{_escaped(result.get('message', ''))}")  # fmt: skip
    if lines[-1] == "":
        lines.append("Nowhere.")
    return lines


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
