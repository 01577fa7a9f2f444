"""Makes the cases of the laws for the operations of one file."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Behavior, Case, Chapter
from ..problems import Problem, nearest
from ..program.lowering import lower_generated
from ..program.program import Expectation, Program
from ..reading.chapters import Tables, slug
from ..reading.fields import Fields
from ..reading.yaml_reader import Located
from .bounded import METER
from .formulas import QUIET
from .law_programs import law_program
from .laws import CHAPTER, Law, Laws
from .operations import Form, Operation, read_entry
from .worked import Worked, worked_at


@QUIET
def law_chapter(
    located: Located,
    file: str,
    name: str,
    laws: Laws,
    tables: Tables,
    problems: list[Problem],
    exempted: bool = False,
) -> Chapter:
    """The chapter of laws, as far as the operations of one file go; with `exempted`, the cases that
    exemptions leave out instead. The file's own faults are reported where its own chapter is read."""
    elementwise = "elementwise" in located.value and located.value["elementwise"].value is True
    behaviors = {law.id: _behavior(law) for law in laws.laws}
    fields = Fields(problems)
    for item in located.value["operations"].value:
        METER.refill()
        operation, _ = read_entry(item, name, elementwise)
        if operation is None:
            continue
        shown: set[tuple[str, object]] = set()
        for form in operation.forms:
            METER.refill()
            for wrong in set(form.laws) - set(behaviors):
                fields.refuse(form.place, f"no law is called {wrong!r}", nearest(wrong, behaviors))
            maker = Maker(operation, worked_at(form), file, tables, fields)
            for law in laws.laws:
                kind = (law.id, _kind(form) if law.forms == "first of each kind" else "")
                if law.forms != "all" and kind in shown and law.id not in form.laws:
                    continue
                if bool(laws.reason(law.id, operation.id, maker.about)) != exempted:
                    continue
                if maker.add(behaviors[law.id], law):
                    shown.add(kind)
    return Chapter(CHAPTER, laws.title, laws.introduction, tuple(behaviors.values()))


def _kind(form: Form) -> tuple[tuple[int, str], ...]:
    """The number of dimensions of each operand, and whether it is real."""
    return tuple(
        (operand.values.ndim, operand.values.dtype.kind) for operand in form.operands.values()
    )


def about(operation: Operation, form: Form) -> str:
    """The operation, and the form in brackets where it has a label."""
    return operation.id + (f"[{slug(form.label)}]" if form.label else "")


def _behavior(law: Law) -> Behavior:
    return Behavior(
        id=law.id,
        chapter=CHAPTER,
        statement=law.statement,
        strength=law.strength,
        level=law.level,
        sources=law.sources,
        place=law.place,
        pitfall=law.pitfall,
        differs=law.differs,
        refuses="what the statement says" if "raises(" in law.program else "",
    )


HALF = ("float16", "bfloat16")
"""In these a wider tolerance would accept zeros; engines compute in float32 and round."""


@dataclass(frozen=True)
class Maker:
    """Makes the cases of one form."""

    operation: Operation
    worked: Worked
    file: str
    tables: Tables
    fields: Fields

    @property
    def about(self) -> str:
        """What a law's exemptions name."""
        return about(self.operation, self.worked.form)

    def add(self, behavior: Behavior, law: Law) -> bool:
        """Add the case of one law, if the law applies; whether it did."""
        try:
            text = law_program(law, self.operation, self.worked)
        except Exception as error:  # NumPy's functions have faults of their own
            message = f"{law.id}: the formulas cannot be evaluated: {type(error).__name__}: {error}"
            self.fields.refuse(self.worked.form.place, message)
            return False
        lowered = self.lowered(f"{law.id}/{self.about}", text, law) if text else None
        if text is None or lowered is None:
            return False
        program, expectations = lowered
        factor, reason = law.factor, law.reason
        if self.operation.factor > factor and law.dtype not in HALF:
            factor, reason = self.operation.factor, self.operation.reason
        place = self.worked.form.place
        behavior.cases.append(
            Case(
                program.id, behavior, self.about, text, place, program, expectations, place.line,
                factor, reason, generated=True,
            )
        )  # fmt: skip
        return True

    def lowered(
        self, identifier: str, text: str, law: Law
    ) -> tuple[Program, tuple[Expectation, ...]] | None:
        place = self.worked.form.place
        problems: list[Problem] = []
        made = lower_generated(
            identifier, text, self.file, place, self.tables.vocabulary, self.tables.kinds, problems
        )
        told = any(problem.place == law.place for problem in self.fields.problems)
        for problem in problems if not told else ():  # a law is reported once, not for each form
            message = f"{problem.message}, in the program of {law.id} for {self.about}"
            self.fields.refuse(law.place, message, problem.hint)
        return made
