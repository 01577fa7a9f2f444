"""Reads a YAML file against a JSON schema, and says at which line something is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gradspec.spec.problems import Problem, SpecError, nearest
from gradspec.spec.reading.yaml_reader import Located, read_yaml

SCHEMAS = Path(__file__).parent / "schema"


def read_checked(path: Path, schema: str, of: str) -> Located:
    """The content of a file that follows the schema of this name. Raises `SpecError`, with every place
    at which it does not; `of` says in its message what the file is."""
    from jsonschema import Draft202012Validator

    try:
        content = read_yaml(path)
    except SpecError as error:
        raise SpecError(error.problems, of) from error
    validator = Draft202012Validator(json.loads((SCHEMAS / schema).read_text("utf-8")))
    errors = sorted(validator.iter_errors(plain(content)), key=lambda error: str(error.json_path))
    problems = [problem for error in errors for problem in problems_of(error, content)]
    if problems:
        raise SpecError(problems, of)
    return content


def plain(located: Located) -> Any:
    """A value without the places."""
    if isinstance(located.value, dict):
        return {key: plain(value) for key, value in located.value.items()}
    if isinstance(located.value, list):
        return [plain(value) for value in located.value]
    return located.value


def problems_of(error: Any, content: Located) -> Iterator[Problem]:
    """An error of the validator in our words, at its place in the file."""
    at = content
    for step in error.absolute_path:
        at = at.value[step]
    what = ".".join(str(step) for step in error.absolute_path) or "the file"
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        for key in at.value.keys() - known.keys():
            hint = nearest(key, known) or f"known keys: {', '.join(known)}"
            yield Problem(at.keys[key], f"{what} has no key {key!r}", hint)
    elif error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        yield Problem(at.place, f"{what} is missing the key {missing[0]!r}")
    elif error.validator == "enum":
        known = list(map(str, error.validator_value))
        message = f"expected {what} to be one of {', '.join(known)}; found {error.instance!r}"
        yield Problem(at.place, message, nearest(str(error.instance), known))
    else:
        yield Problem(
            at.place, f"{what}: {error.message[:200]}", error.schema.get("description", "")
        )
