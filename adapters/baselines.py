"""Engines that compute nothing. Their scores stand beside every other score: a case that one of
them passes proves little, and a suite on which they do well proves nothing."""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from .engine import End, Identity, Observations, Plain
from .python_engine import Kinds


class _Baseline:
    """Reports the same answer to everything, without running anything."""

    name: ClassVar[str] = ""
    value: ClassVar[Plain] = None
    block: ClassVar[Plain] = {}

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        self.identity = Identity(self.name, "1", "none", device)

    def run(self, program: Any, timeout: float | None = None) -> Observations:
        observed: list[tuple[int, Plain]] = []
        for node in ast.walk(program.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                answer = self.answer(node.func.id, len(node.args) - 1)
                index = node.args[0]
                if answer is not None and isinstance(index, ast.Constant):
                    observed.append((int(str(index.value)), answer[0]))
        return Observations(observed, End("finished"))

    def answer(self, reported: str, values: int) -> tuple[Plain] | None:
        """What is reported for an observation, or None if the call reports nothing."""
        if reported == "observe":
            return (self.value if values == 1 else {"pair": [self.value, self.value]},)
        if reported in ("raises", "may_raise"):
            return ({"ended": self.block},)
        return ({"warnings": []},) if reported in ("warns", "quiet") else None

    def close(self) -> None:
        pass


class NothingEngine(_Baseline):
    """Does nothing: every value is None, and nothing is ever refused."""

    name = "nothing"
    value = None
    block: ClassVar[Plain] = {"how": "normally"}


class AgreeableEngine(_Baseline):
    """Agrees to everything: every question is answered True, and every block is refused."""

    name = "agreeable"
    value = True
    block: ClassVar[Plain] = {
        "how": "refused",
        "kind": "refused",
        "type": "RuntimeError",
        "message": "no",
    }
