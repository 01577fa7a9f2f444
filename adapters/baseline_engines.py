"""Engines that compute nothing. Their scores are shown next to every other score: a case that one of
them passes proves little."""

from __future__ import annotations

from typing import Any, ClassVar

from .framework.engine import End, Identity, Observations, Plain
from .framework.python_engine import Kinds

BLOCKS = ("body", "then", "else")
"""Where a statement has other statements."""


class _Baseline:
    """Reports the same answer to everything, without running anything."""

    name: ClassVar[str] = ""
    value: ClassVar[Plain] = None
    block: ClassVar[Plain] = {}

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        self.identity = Identity(self.name, "1", "none", device)

    def run(self, program: Any, timeout: float | None = None) -> Observations:
        observed: list[tuple[int, Plain]] = []
        pending: list[dict[str, Any]] = list(program.json["body"])
        for statement in pending:
            if "observation" in statement:
                observed.append((statement["observation"], self.answer(statement)))
            for block in BLOCKS:
                pending += statement.get(block, ())
        return Observations(observed, End("finished"))

    def answer(self, statement: dict[str, Any]) -> Plain:
        """What is reported for a statement that reports something."""
        if statement["do"] == "observe":
            alone = len(statement["values"]) == 1
            return self.value if alone else {"pair": [self.value, self.value]}
        return {"ended": self.block} if statement["do"] == "attempt" else {"warnings": []}

    def renew(self) -> bool:
        return True

    def close(self) -> None:
        pass


class NothingEngine(_Baseline):
    """Does nothing: every value is None, and nothing ever raises."""

    name = "nothing"
    value = None
    block: ClassVar[Plain] = {"how": "normally"}


class AgreeableEngine(_Baseline):
    """Agrees to everything: every value is True, and every block raises."""

    name = "agreeable"
    value = True
    block: ClassVar[Plain] = {
        "how": "refused",
        "kind": "refused",
        "type": "RuntimeError",
        "message": "no",
    }
