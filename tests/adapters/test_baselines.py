"""The engines that compute nothing report everything that a program observes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradspec.adapters.baseline_engines import NothingEngine
from gradspec.spec.load import load_spec


def observations_in(part: Any) -> Iterator[int]:
    """The numbers of all observations, wherever they stand in a program."""
    if isinstance(part, dict):
        if "observation" in part:
            yield part["observation"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from observations_in(inner)


def test_no_observation_is_overlooked() -> None:
    """Those in blocks, loops and branches included."""
    engine = NothingEngine()
    programs = [
        item.cases[0].program for item in load_spec().behaviors if not item.cases[0].generated
    ]
    nested = 0
    for program in programs[::3]:
        observed = [number for number, _ in engine.run(program).observed]
        assert sorted(observed) == sorted(observations_in(program.json["body"]))
        nested += any("body" in statement for statement in program.json["body"])
    assert nested > 20
