"""report.json: the results of the engines, without what the specification already says.

A behavior's result is one word if every case ended alike (holds, unsupported, missing). Otherwise it
has its score and the cases that did not pass, by the ends of their ids.
"""

from __future__ import annotations

from typing import Any

from ...text import json_text

Data = dict[str, Any]
LEFT_OUT = ("cards", "title")


def lean_of(report: Data) -> Data:
    """The report as report.json has it (schema: spec/schema/report.json)."""
    return {
        "gradspec": report["gradspec"],
        "spec": report["spec"],
        "engines": [
            {name: value for name, value in engine.items() if name not in LEFT_OUT}
            for engine in report["engines"]
        ],
        "baselines": report["baselines"],
        "against": report["against"],
        "changes": report["changes"],
        "behaviors": {
            behavior["id"]: {
                engine["key"]: _result(behavior, engine["key"]) for engine in report["engines"]
            }
            for chapter in report["chapters"]
            for behavior in chapter["behaviors"]
        },
    }


def text_of(lean: Data) -> str:
    """report.json, with a line for each engine and each behavior."""
    told = dict(lean)
    behaviors = [
        f"{json_text(name)}: {json_text(results)}"
        for name, results in told.pop("behaviors").items()
    ]
    engines = [json_text(engine) for engine in told.pop("engines")]
    head = [f"{json_text(name)}: {json_text(value)}" for name, value in told.items()]
    head.append('"engines": [\n' + ",\n".join(engines) + "\n]")
    head.append('"behaviors": {\n' + ",\n".join(behaviors) + "\n}")
    return "{\n" + ",\n".join(head) + "\n}\n"


def _result(behavior: Data, key: str) -> Data | str:
    result: Data = behavior["results"][key]
    if result["status"] in ("holds", "unsupported", "missing"):
        return str(result["status"])
    cases = {
        case["id"].partition("/")[2]: _case(case["results"][key])
        for case in behavior["cases"]
        if case["results"][key]["verdict"] != "pass"
    }
    return {**result, "cases": cases}


def _case(result: Data) -> Data | str:
    return result["verdict"] if result["verdict"] in ("unsupported", "missing") else result
