"""A finding in words, as a repro script, as a case for the specification, and as a line of the journal."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gradspec.spec.model import Behavior, Case, Spec
from gradspec.spec.problems import Place, Problem
from gradspec.spec.program.lowering import lower_program
from gradspec.spec.values import Plain, show

from .building import classes_of
from .campaign import Finding
from .comparing import NO_ERROR, Divergence
from .consistency import FACTOR, TOLERANCE, contradicted
from .drawing import Drawn, Statement

PLACE = Place("generated", 1, 1)
DIFFERENCES = f"finite differences, compared to {TOLERANCE:g}"


def sentence(finding: Finding) -> str:
    """What differs, in one line."""
    found = finding.divergence
    if found.part == "error":
        return f"{_place(finding)}: {found.message}"
    return f"after {_place(finding)}, {_subject(finding)}: {found.message}"


def statement_of(finding: Finding) -> str:
    """What an engine must do that this one does not, as a statement to be worded."""
    found = finding.divergence
    place = _place(finding)
    if found.part == "error":
        if found.expected == NO_ERROR:
            return f"{place} MUST NOT raise an error."
        return f"{place} MUST raise an error ({found.kind})."
    if _contradicts_itself(found):
        return f"The derivatives of {place} MUST be those of its values."
    expected = "None" if found.expected is None else _literal(found.expected)
    return f"After {place}, {_subject(finding)} MUST be {expected}."


def _place(finding: Finding) -> str:
    """The statement where it shows, on one line."""
    statement = finding.drawn.statements[finding.divergence.statement]
    return f"`{' '.join(statement.written.split())}`"


def _subject(finding: Finding) -> str:
    """What differs: a variable, an attribute of it, or what hooks saw."""
    found = finding.divergence
    if found.part == "trace":
        return "`traced()`"
    if not found.variable:
        return found.part
    return f"`{found.variable}`" if found.part == "value" else f"`{found.variable}.{found.part}`"


def cause_of(finding: Finding) -> str:
    """What findings of one cause have in common: what differs, without the numbers."""
    found = finding.divergence
    words = re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "N", found.message)
    return f"{found.part}: {re.sub(r'shape=[^)]*', 'shape', words)[:120]}"


def program_of(finding: Finding) -> str:
    """The shrunk program in the language of the specification, with what the oracle expects."""
    drawn, found = finding.drawn, finding.divergence
    kept = drawn.statements[: found.statement + 1]
    head = classes_of(Drawn(kept))
    if _contradicts_itself(found):
        return head + contradicted(drawn, found.part)
    lines = [_with_error(each, found.raised.get(index)) for index, each in enumerate(kept)]
    if found.part == "error":
        if found.expected != NO_ERROR:
            return head + "".join(lines[:-1]) + _with_error(kept[-1], found.kind or "wrong-value")
        return head + "".join(lines) + _what_holds_after(found)
    return head + "".join(lines) + _assertion(found.part, found.variable, found.expected)


def _contradicts_itself(found: Divergence) -> bool:
    """Whether derivatives contradict values, so that there is no expected value."""
    derivative = found.part in ("tangent", "second order", "grad")
    return derivative and found.expected is None and not found.state


def _with_error(statement: Statement, kind: str | None) -> str:
    """A statement as it is written, in a block that expects its error if it raises one."""
    if kind is None:
        return statement.written + "\n"
    return f'with raises("{kind}"):\n{textwrap.indent(statement.written, "    ")}\n'


def _what_holds_after(found: Divergence) -> str:
    """An assertion after a statement that must not raise: of a gradient if there is one, of the last
    variable otherwise."""
    gradients = [each for each in found.state if each[1] == "grad" and each[2] is not None]
    values = [each for each in found.state if each[1] == "value"]
    for name, part, value in gradients[:1] or values[-1:]:
        return _assertion(part, name, value)
    return ""


def _assertion(part: str, variable: str, expected: Plain) -> str:
    if part == "trace":
        return f"assert traced() == {_literal(expected)}\n"
    owner = variable if part == "value" else f"{variable}.{part}"
    if isinstance(expected, bool):
        return f"assert {owner}\n" if expected else f"assert not {owner}\n"
    if expected is None:
        return f"assert {owner} is None\n"
    return f"assert {owner} == {_literal(expected)}\n"


def _literal(plain: Plain) -> str:
    if isinstance(plain, dict):
        if "tensor" in plain:
            content = plain["tensor"]
            return _nested([_literal(item) for item in content["values"]], list(content["shape"]))
        if "list" in plain:
            return f"[{', '.join(map(_literal, plain['list']))}]"
        if "tuple" in plain:
            items = list(map(_literal, plain["tuple"]))
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        if "number" in plain:
            return str(plain["number"])
    if isinstance(plain, str):
        return f'"{plain}"'
    if plain == 0.0 and isinstance(plain, float):
        return "0.0"  # whatever its sign, which is not compared
    return repr(plain) if isinstance(plain, bool | int | float | type(None)) else show(plain)


def _nested(items: list[str], shape: list[int]) -> str:
    if not shape:
        return items[0]
    step = len(items) // shape[0] if shape[0] else 0
    rows = [items[i * step : (i + 1) * step] for i in range(shape[0])]
    return f"[{', '.join(_nested(row, shape[1:]) for row in rows)}]"


def as_yaml(finding: Finding, number: int) -> str:
    """A behavior for a chapter, to be worded and confirmed."""
    head = (
        f"  - id: found.program-{number}\n"
        f"    statement: {json.dumps(statement_of(finding), ensure_ascii=False)}\n"
        f"    level: observed\n"
        f"    cases:\n"
    )
    if not _contradicts_itself(finding.divergence):
        return f"{head}      shrunk: |\n{textwrap.indent(program_of(finding), ' ' * 8)}"
    return (
        f"{head}      shrunk:\n"
        f'        tolerance: {{factor: {FACTOR:.1e}, why: "{DIFFERENCES}"}}\n'
        f"        program: |\n{textwrap.indent(program_of(finding), ' ' * 10)}"
    )


def as_case(finding: Finding, spec: Spec) -> Case | None:
    """The finding as a case; None where its program asserts nothing."""
    text = program_of(finding)
    behavior = Behavior("found.program", "found", sentence(finding), "MUST", "observed", (), PLACE)
    problems: list[Problem] = []
    lowered = lower_program(
        "found.program/shrunk", text, PLACE.file, 1, {}, spec.vocabulary, spec.kinds,
        lambda line, column: Place(PLACE.file, line, column + 1), problems,
    )  # fmt: skip
    if lowered is None or not lowered[1]:
        return None
    case = Case("found.program/shrunk", behavior, "shrunk", text, PLACE, *lowered, first_line=1)
    if _contradicts_itself(finding.divergence):
        return replace(case, tolerance_factor=FACTOR, tolerance_reason=DIFFERENCES)
    return case


def script(finding: Finding, impl: str, spec: Spec) -> str:
    """A script that shows the difference on the engine; the bare program where none can be made."""
    from ..reporting.repro import script_of

    case = as_case(finding, spec)
    if case is None:
        return program_of(finding)
    found = finding.divergence
    both_raise = found.part == "error" and NO_ERROR not in (found.expected, found.observed)
    text = script_of(case, impl, spec.kinds if both_raise else {})
    head, blank, rest = text.partition("\n\n")  # the sentence is printed already
    return rest if blank and head.startswith("#") else text


def as_fault(finding: Finding) -> str:
    """The finding as a mistake that an engine makes, for the bank of faults."""
    found = finding.divergence
    if found.part == "error":
        if found.expected == NO_ERROR:
            return f"{_place(finding)} raises an error."
        if found.observed == NO_ERROR:
            return f"{_place(finding)} raises no error."
        return f"{_place(finding)} raises another error than {found.kind}."
    if _contradicts_itself(found):
        return f"A derivative of {_place(finding)} is wrong."
    return f"After {_place(finding)}, {_subject(finding)} is {_shown(found)}."


def _shown(found: Divergence) -> str:
    if isinstance(found.observed, bool) or found.observed is None:
        return repr(found.observed)
    return f"{_literal(found.observed)} instead of {'None' if found.expected is None else _literal(found.expected)}"


def as_data(finding: Finding, spec: Spec, impl: str) -> dict[str, Any]:
    """The finding as a line of the journal, from which it can be checked again."""
    return {
        "sentence": sentence(finding),
        "cause": cause_of(finding),
        "program": program_of(finding),
        "fault": as_fault(finding),
        "statements": [
            [each.text, each.template, each.name, each.holds, each.block, each.caught]
            for each in finding.drawn.statements
        ],
    }


def drawn_from(data: Mapping[str, Any]) -> Drawn:
    """The program of a journal's line. Raises `ValueError` where the line is not one."""
    try:
        statements = [Statement(*map(str, each)) for each in data["statements"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"expected a finding with its statements, found {error!r}") from error
    return Drawn(statements)
