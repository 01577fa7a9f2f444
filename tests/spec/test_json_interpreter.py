"""All forms of a program say the same: what the reference passes, it passes whichever form runs.

The forms are Python, which the main job and `test_engines.py` run, Python with attributes and methods
looked up through the adapter, and JSON, run by an interpreter that was written from the protocol page
alone.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from gradspec.adapters.framework.classify import PROGRAM
from gradspec.adapters.framework.engine import End, Observations
from gradspec.adapters.framework.recorder import Recorder
from gradspec.adapters.reference_engine import ReferenceEngine
from gradspec.conformance.judging.judge import judge
from gradspec.conformance.judging.verdict import Verdict
from gradspec.spec.model import Case, Spec
from gradspec.spec.program.program import Program
from suite_kit import sample_of

from . import json_interpreter
from .json_interpreter import Interpreter

SECONDS = 30.0


# What the interpreter calls, the program calls: Python's own errors there are the program's.
vars(json_interpreter)["__name__"] = PROGRAM


class JsonReference(ReferenceEngine):
    """The reference engine, running the JSON form as a process of its own would get it: as text."""

    program: Program

    def run(self, program: Program, timeout: float | None = None) -> Observations:
        self.program = program
        return super().run(program, timeout)

    def call(self, code: Any, recorder: Recorder, file: str) -> End:
        program = json.loads(json.dumps(self.program.json, allow_nan=False))
        assert program == self.program.json, self.program.id
        words = {word: self.namespace[word.replace(".", "__")] for word in program["words"]}
        try:
            self.reset()
            Interpreter(words, recorder).run(program)
        except Exception as error:
            return self.end_of(error, self.program.members, file)
        return End("finished")


class MediatedReference(ReferenceEngine):
    """The reference engine, with attributes and methods looked up through the adapter."""

    mediated = True


def verdicts_on(engine: type[ReferenceEngine], spec: Spec) -> dict[str, Verdict]:
    kinds = [
        {
            "name": kind.name,
            "sort": kind.sort,
            "exceptions": kind.exceptions,
            "patterns": kind.patterns,
        }
        for kind in spec.kinds.values()
    ]
    opened = engine(kinds=kinds)
    return {
        case.id: judge(case, opened.run(case.program, SECONDS), spec.kinds) for case in sample(spec)
    }


def sample(spec: Spec) -> list[Case]:
    return [case for case in sample_of(spec.cases) if case.behavior.id not in BY_FUNCTION]


LACKED = (
    "laws.float16", "laws.bfloat16/", "complex_numbers.conjugate-is-a-view/",
    "custom_functions.vmap-rule-arguments/",
)  # fmt: skip
"""What the reference does not offer, or not for every operation."""
NUMBER = (
    "-refuses/a-number-for-a-tensor", "-refuses/a-number-for-the-first-tensor",
    "[f=what-is-like-a-number]",
)  # fmt: skip
"""What adapters for engines with names of their own take for unsupported."""

BY_FUNCTION = (
    "func.captured-tensors-are-not-written", "vmap.shared-tensors-are-not-written",
    "anomaly.shows-the-function-that-called",
    "anomaly.shows-what-was-noted", "anomaly.shows-the-pass-that-recorded", "anomaly.errors-in-hooks",
)  # fmt: skip
"""The reference finds the tensors that a Python function captures, and shows its name where it was
called; the functions of the interpreter have none of their own."""


@pytest.mark.parametrize("engine", [JsonReference, MediatedReference])
def test_forms_say_the_same(engine: type[ReferenceEngine], own_spec: Spec) -> None:
    found = verdicts_on(engine, own_spec)
    differing = [
        f"{name}: {verdict.verdict} {verdict.kind} {verdict.message[:200]}"
        for name, verdict in found.items()
        if verdict.verdict != "pass"
        and not (
            verdict.verdict == "unsupported" and (name.startswith(LACKED) or name.endswith(NUMBER))
        )
    ]
    assert not differing, "\n".join([f"{len(differing)} cases differ", *differing])
    assert len(found) > 5000
