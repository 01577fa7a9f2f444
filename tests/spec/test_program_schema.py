"""The JSON form of programs and the schema that describes it agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from gradspec.spec.model import Spec
from gradspec.spec.program.syntax import BINARY_OPERATORS, COMPARISONS, UNARY_OPERATORS
from gradspec.spec.reading.folder import ROOT
from jsonschema_rs import Draft202012Validator, ValidationError, meta
from suite_kit import sample_of

Json = dict[str, Any]
PROGRAM: Json = json.loads((ROOT / "schema" / "program.json").read_text("utf-8"))
PROTOCOL: Json = json.loads((ROOT / "schema" / "protocol.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def programs(own_spec: Spec) -> list[Json]:
    return [case.program.json for case in sample_of(own_spec.cases)]


def objects(value: Any) -> Iterator[Json]:
    """Every object within a program."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from objects(part)


@pytest.mark.parametrize("schema", [PROGRAM, PROTOCOL], ids=["program", "protocol"])
def test_schemas_are_schemas(schema: Json) -> None:
    assert meta.is_valid(schema)


def test_every_case_fits(programs: list[Json]) -> None:
    validator = Draft202012Validator(PROGRAM)
    for program in programs:
        validator.validate(program)


def test_lines_and_observations_are_numbers(programs: list[Json]) -> None:
    for program in programs:
        for part in objects(program["body"]):
            for key in ("line", "observation"):
                assert type(part.get(key, 0)) is int


def test_every_form_is_described(programs: list[Json]) -> None:
    for key, family in (("do", "statement"), ("is", "expression")):
        described = set(PROGRAM["$defs"][family]["properties"][key]["enum"])
        parts = (part for program in programs for part in objects(program["body"]))
        found = {part[key] for part in parts if key in part}
        assert found <= described


def test_operators_are_the_language_s() -> None:
    for form, operators in (
        ("binary", BINARY_OPERATORS),
        ("unary", UNARY_OPERATORS),
        ("compare", COMPARISONS),
    ):
        described = PROGRAM["$defs"][f"is_{form}"]["properties"]["operator"]["enum"]
        assert set(described) == set(operators.values())


@pytest.mark.parametrize(
    "statement",
    [
        {"do": "jump", "line": 1},
        {"do": "pass"},
        {"do": "pass", "line": 0},
        {"do": "pass", "line": 1, "extra": 1},
        {"do": "observe", "line": 1, "observation": 0, "values": []},
        {"do": "evaluate", "line": 1, "value": {"is": "int", "value": 1.5}},
        {"do": "evaluate", "line": 1, "value": {"is": "word", "word": "a..b"}},
        {"do": "evaluate", "line": 1, "value": {"is": "name"}},
        {"do": "assign", "line": 1, "to": [{"is": "int", "value": 1}], "value": {"is": "none"}},
        {"do": "evaluate", "line": 1, "value": {"is": "float", "value": {"number": "infinity"}}},
    ],
)
def test_what_is_no_program_is_refused(statement: Json) -> None:
    program = {"id": "a.b/c", "words": [], "features": [], "body": [statement]}
    with pytest.raises(ValidationError):
        Draft202012Validator(PROGRAM).validate(program)
