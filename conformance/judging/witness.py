"""Detects state that a case leaves behind in the engine, such as a grad mode that stays disabled:
later cases would fail, but pass when run alone."""

from __future__ import annotations

from collections.abc import Callable

from gradspec.spec.model import Case

from .verdict import Verdict

STATEFUL = frozenset(
    {"no-grad", "inference-mode", "anomaly", "saved-tensor-hooks", "module-hooks", "threads"}
)
"""Features that change a state of the whole engine; a case of theirs may leave it so and pass."""
REFUSALS = frozenset({"refused", "may be refused"})
"""Relations of an expectation that an engine meets by an exception, after which it may not tidy up."""


class Witness:
    """One case that passed, tried again after each that may have left something behind: one that
    changes a state of the whole engine, or in which the engine raised an exception."""

    def __init__(self, run: Callable[[Case], Verdict]) -> None:
        self.run = run
        self.case: Case | None = None
        self.watching = True

    def missed_after(self, case: Case, verdict: Verdict) -> str:
        """The case that passed before and fails now that `case` was run, or the empty string."""
        program = case.program
        stateful = bool(program.features & STATEFUL)
        raised = verdict.kind == "unexpected-error" or any(
            expectation.relation in REFUSALS for expectation in case.expectations
        )
        if self.case is None:
            differentiates = "backward" in program.members or "vjp" in program.words
            if verdict.verdict == "pass" and differentiates and not stateful and not raised:
                self.case = case
            return ""
        if not self.watching or not (stateful or raised):
            return ""
        if self.run(self.case).verdict != "fail":
            return ""
        return self.case.id
