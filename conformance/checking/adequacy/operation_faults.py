"""Faults of operations, made by rule instead of by hand: in the reference, each kernel, vjp rule, node
and tangent of each operation has every kind of mistake in turn (`switches.py`, `node_faults.py`).

Which operations of the catalogue a fault breaks is observed: those in whose cases the row is used in
a way in which the mistake makes a difference, if the operation's value is made with that row. Where
a kernel or a rule is simply wrong, a case of the operation's own must notice it; any other mistake
may be noticed by a law's case about the operation as well.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gradspec.spec.catalogue.laws import CHAPTER as LAWS
from gradspec.spec.catalogue.operations import catalogue
from gradspec.spec.model import Behavior, Case, Spec
from gradspec.spec.reading.folder import ROOT, operation_paths

from ...judging.judge import judge
from ...judging.verdict import FAILED
from ...running.runner import kinds_as_data
from . import call_faults, node_faults, refusal_faults, switches
from .child import start_child, status_of
from .engine_copy import ChangedEngine

CASE_SECONDS = 2.0
MADE = (*switches.KERNEL_CHANGES, *switches.RULE_CHANGES)
MEANT = {**{change.name: change.laws for change in MADE}, **node_faults.MEANT, **call_faults.MEANT}
MEANT[switches.ON_THE_CPU] = ("laws.another-device",)
MEANT[refusal_faults.NOT_REFUSED] = ()
"""The laws that are meant to notice each kind of mistake."""

OUTERMOST = {change.name for change in MADE if change.outermost}
"""Mistakes that only show in an operation of a single row."""

CENTRED = "the centred rows that it goes through or ends in sum to zero, so a constant cancels"
AGAIN = "what is cut is differentiated only in a derivative of the tangent"
OF_THE_MEAN = (
    "only the gradient of the mean of centred rows is expanded, which is zero up to rounding"
)
IN_DIFFERENCES = "a constant cancels in differences"
SCALES = "it is the number that scales"
CONSTANT = "the gradient of an operand that is constant here"
ROUNDED = "what the two misread gradients give cancels, up to rounding"
THIRD = "its rule runs in the second pass, whose result nothing differentiates"
OF_A_COUNT = "only the distance of order zero has it, a count whose gradient is zero"
HARMLESS = {
    "systems.lstsq: value of linalg_svd": "of the decomposition, only the singular values are read",
    "reduction.diff: value of cat": IN_DIFFERENCES,
    "reduction.cov: second order of mean, x": CENTRED,
    "reduction.cov: second order of sub, y": CENTRED,
    "reduction.cov: second order of sum, x": CENTRED,
    "reduction.corrcoef: second order of mean, x": CENTRED,
    "reduction.corrcoef: second order of sub, y": CENTRED,
    "reduction.corrcoef: second order of view, x": "only one vector has it, whose result is constant",
    "reduction.corrcoef: value of t": CENTRED,
    "reduction.corrcoef: gradient of t, x": CENTRED,
    "linear.attention: gradient of mul, y": "a constant in the gradient of a softmax cancels",
    "ternary.clamp-between-tensors: value of neg": "a bound that is left away is infinite",
    "linalg.addmv: second order of mv, y": THIRD,
    "linalg.baddbmm: second order of bmm, x": THIRD,
    "linalg.baddbmm: second order of bmm, y": THIRD,
    "linalg.addbmm: second order of bmm, x": THIRD,
    "linalg.addbmm: second order of bmm, y": THIRD,
    "linalg.cross: value of mul": "a constant cancels in differences",
    "linalg.cdist: value of unsqueeze": "a constant cancels in differences",
    "factorizations.svd: second order of add, x": THIRD,
    "factorizations.svd: second order of add, y": THIRD,
    "factorizations.eigh: gradient of mv, x": "the squares of a unit vector's elements sum to one",
    "factorizations.householder-product: second order of add, y": THIRD,
    **{
        f"reduction.norm: gradient, {layout} gradient of the result misread of linalg_svd, x": ROUNDED
        for layout in ("transposed", "stepped")
    },
    "factorizations.householder-product: second order of view, x": THIRD,
    "systems.slogdet: second order of mul, x": "the derivative of a sign is zero",
    "systems.logdet: value of linalg_slogdet": "of the sign it only matters whether it is -1",
    "systems.logdet: gradient of add, y": "a real gradient does not turn a number of modulus one",
    "systems.lu-factor: second order of mm, x": "the permutation of the rows is constant",
    **{
        f"fft.{name}: value, float32 for float64 of to": "it converts to a complex dtype"
        for name in ("fft", "ifft", "fft2", "fftn")
    },
    "fft.stft: gradient of cat, xs": "what is joined first is the zeros before the signal",
    "reduction.argsort: value of sort": "the sorted values are left away",
    "reduction.amax: value of sub": "what it lowers is never the largest",
    "reduction.corrcoef: value, expanded operands misread of div": OF_THE_MEAN,
    "reduction.corrcoef: value, expanded operands misread of view": OF_THE_MEAN,
    "loss.hinge-embedding-loss: value, expanded operands misread of where": (
        "only where a second derivative is taken, which is zero, is an operand expanded"
    ),
    "activation.rrelu: value of fill": "slopes of positive elements are not used",
    "activation.rrelu: value, given out again of clone": "the copy is filled anew each time",
    "activation.dropout: second order of mul, x": "everything is dropped, so the factor is zero",
    "normalization.layer-norm: second order of mean, x": AGAIN,
    "normalization.group-norm: second order of mean, x": AGAIN,
    "normalization.instance-norm: second order of mean, x": AGAIN,
    "normalization.batch-norm: second order of mean, x": AGAIN,
    "loss.binary-cross-entropy-with-logits: gradient of sub, x": CONSTANT,
    "loss.soft-margin-loss: gradient of neg, x": CONSTANT,
    "loss.soft-margin-loss: second order of mul, x": CONSTANT,
    "loss.triplet-margin-loss: value of norm": IN_DIFFERENCES,
    "loss.triplet-margin-with-distance-loss: value of norm": IN_DIFFERENCES,
    "class_loss.multi-margin-loss: gradient of index, x": CONSTANT,
    "class_loss.multilabel-margin-loss: value of index": IN_DIFFERENCES,
    "class_loss.multilabel-margin-loss: value of unsqueeze": IN_DIFFERENCES,
    "class_loss.multilabel-soft-margin-loss: gradient of log_sigmoid, x": IN_DIFFERENCES,
    "class_loss.ctc-loss: gradient of cat, xs": CONSTANT,
    "distance.pdist: value of index": IN_DIFFERENCES,
    "distance.cdist: value of unsqueeze": IN_DIFFERENCES,
    **{
        f"distance.{name}: {fault}": OF_A_COUNT
        for name in ("pdist", "cdist")
        for fault in (
            "second order of mul, x",
            "gradient of sum, x",
            "second order of sum, x",
            "second order of where, y",
        )
    },
    "binary.rsub: gradient, what was saved overwritten of mul, x": SCALES,
    "indexing.index-add: gradient, what was saved overwritten of mul, x": SCALES,
    **{
        f"complex.add: value, {change} of add": "real numbers are only added in an assertion"
        for change in ("float64 for float32", "float32 for float64")
    },
    "loss.smooth-l1-loss: gradient, expanded operands misread of mul, y": "it goes on into a sign",
    "loss.l1-loss: value, rounded to float32 of mul": "what it rounds has no second derivative",
    "reduction.cummax-refuses/no-dim: error, not raised": "a missing argument is an error of Python",
    "factorizations.cholesky-refuses/upper,-not-by-name: error, not raised": "so is one too many",
}
"""Faults made by rule that change nothing, and why."""


ZERO = "its second derivative is zero"
INDICES = "the sorted values are left away"
SHIFTED = (
    "all elements are shifted by the same number, which leaves its second derivatives as they are"
)
TRUTH = "a comparison gives truth, in whatever dtype it compares"
NO_VALUES = "its gradient is zero for all real numbers"
TWO_OF_MANY = "of 65,538 elements the last two are zero, in a sum that the law compares with a tolerance for thousands"
NO_HISTORY = node_faults.CONSTANT_TANGENT
HARMLESS_MISTAKES: dict[tuple[str, str], str] = {
    ("unary.angle", node_faults.UNCHECKED): NO_VALUES,
    ("reduction.logcumsumexp", node_faults.LONE_TANGENT): SHIFTED,
    ("resampling.affine-grid", node_faults.LONE_TANGENT): ZERO,
    **{
        (f"systems.{name}", f"{what}, zeros after full blocks"): TWO_OF_MANY
        for name in ("cholesky-solve", "lstsq", "lu-solve", "solve", "solve-triangular")
        for what in ("value", "gradient")
    },
    ("binary.add", call_faults.INTEGERS_WIDEN): "integers meet a float only in an assertion",
    **dict.fromkeys(
        [(f"unary.{name}", call_faults.INTEGERS_WIDEN) for name in ("asin", "atanh", "erfinv")],
        "zero is the only integer that it takes, and its value, of which no law says the dtype",
    ),
    ("binary.copysign", call_faults.INTEGERS_WIDEN): "no law says the dtype of whole numbers",
    ("binary.ldexp", call_faults.NUMBER_WIDENS): "a number is only a power in an assertion",
    ("binary.nextafter", call_faults.NUMBER_WIDENS): "a number only scales the step in a case",
    ("binary.nextafter", node_faults.UNCHECKED): "what changes is only where operands are equal",
    **dict.fromkeys(
        [
            (f"{chapter}.{name}", NO_HISTORY)
            for chapter, names in (
                ("unary", "abs"),
                ("binary", "fmod remainder copysign"),
                (
                    "activation",
                    "relu relu6 leaky-relu hardtanh rrelu softshrink threshold hardshrink",
                ),
                ("class_loss", "multilabel-margin-loss"),
            )
            for name in names.split()
        ],
        ZERO,
    ),
    **{
        ("reduction.argsort", change.name): INDICES
        for change in switches.KERNEL_CHANGES
        if change is not switches.VALUE
    },
    **{
        (f"binary.{name}", mistake): TRUTH
        for name in ["eq", "ne", "lt", "le", "gt", "ge"]
        for mistake in ["value, float64 for float32", call_faults.NUMBER_WIDENS]
    },
}
"""Mistakes by operation and kind that change nothing, in whichever of its rows, and why."""

NEEDS_ITS_LAW = (
    node_faults.SAVES_ALL,
    node_faults.UNCHECKED,
    node_faults.REFUSED_NOTHING,
    call_faults.NUMBER_WIDENS,
    call_faults.NUMBER_ROUNDED,
)
"""Mistakes that only a case of their law can notice: about an error that is raised, or about numbers, which
an assertion or an operation made of others may use as well."""

TOGETHER = (node_faults.UNCHECKED, node_faults.REFUSED_NOTHING)
"""Mistakes that are made in all rows of an operation at once, since each would hide another's."""

PLAINLY_WRONG = ("value", "gradient", "second order")
"""Mistakes that the operation's own cases must notice."""


@dataclass
class OperationFindings:
    """What the catalogue notices. `unnoticed` are lines that name an operation and a fault that it
    uses and that no case notices; `tried` are behaviors that a fault breaks, `untried` those that
    none can. `kinds` has for each kind of mistake how many faults were made, and how many of them
    were noticed; `laws` how many each law was the first to notice."""

    faults: int = 0
    unnoticed: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    broken: str = ""
    kinds: dict[str, list[int]] = field(default_factory=dict)
    laws: dict[str, int] = field(default_factory=dict)


def behaviors_of_operations(spec: Spec, root: Path = ROOT, select: str = "") -> list[Behavior]:
    """The behaviors of the catalogue whose ids contain a text."""
    chapters = {path.stem for path in operation_paths(root)}
    behaviors = [behavior for behavior in spec.behaviors if behavior.chapter in chapters]
    return [behavior for behavior in behaviors if select in behavior.id]


def run_operation_faults(spec: Spec, root: Path = ROOT, select: str = "") -> OperationFindings:
    """Try every fault on every behavior that it breaks and whose id contains `select`, in a process
    of its own, since a faulty engine cannot be imported twice."""
    if not behaviors_of_operations(spec, root, select):
        return OperationFindings()
    _constant(root)  # here, where it is kept for the next process too
    refusal_faults.compile_all()

    def work() -> bytes:
        try:
            found = _try_all(spec, root, select)
        except Exception as error:
            found = OperationFindings(broken=f"{type(error).__name__}: {error}")
        return json.dumps(found.__dict__).encode()

    process, receive = start_child(work)
    with os.fdopen(receive, "rb") as channel:
        text = channel.read()
    status = status_of(process)
    if status or not text:
        return OperationFindings(broken=f"its process ended with status {status}")
    return OperationFindings(**json.loads(text))


def switch_rows(module: Any) -> None:
    """Put a switch into every kernel and rule, as rows are made."""
    make = module.Row.__init__

    def init(
        self: Any, signature: str, kernel: Any, flags: int, rules: dict[str, Any], *others: Any
    ) -> None:
        kernel, rules = switches.switched(signature, kernel, rules)
        make(self, signature, kernel, flags, rules, *others)

    module.Row.__init__ = init


def _try_all(spec: Spec, root: Path, select: str) -> OperationFindings:
    changes = {"graph.row": switch_rows, **node_faults.MODULES, **call_faults.MODULES}
    engine = ChangedEngine(changes, kinds=kinds_as_data(spec), rewrite=refusal_faults.guarded)
    found = OperationFindings()
    about = _law_cases(spec)
    for behavior in behaviors_of_operations(spec, root, select):
        trial = _Trial(engine, spec, behavior, about.get(behavior.id, []))
        if trial.tried:
            found.tried.append(behavior.id)
        elif not behavior.id.endswith("-refuses") and behavior.id not in _constant(root):
            found.untried.append(behavior.id)
        trial.run(found)
        if behavior.id.endswith("-refuses"):
            _refuse_nothing(engine, spec, behavior, found)
    found.tried += found.laws
    return found


def _refuse_nothing(
    engine: ChangedEngine, spec: Spec, behavior: Behavior, found: OperationFindings
) -> None:
    """Run each call that must raise an error while no operation raises one of its own."""
    made = found.kinds.setdefault(refusal_faults.NOT_REFUSED, [0, 0])
    for case in behavior.cases:
        name = f"{case.id}: {refusal_faults.NOT_REFUSED}"
        if name in HARMLESS or _verdict(engine, spec, case) != "pass":
            continue
        with refusal_faults.nothing_refused():
            noticed = _verdict(engine, spec, case) in FAILED
        found.faults += 1
        made[0] += 1
        made[1] += noticed
        if noticed:
            found.tried.append(behavior.id)
        else:
            found.unnoticed.append(name)


@cache
def _constant(root: Path) -> set[str]:
    """Operations that never require a gradient, and need not be rows: indices, counts, truth."""
    return {operation.id for operation in catalogue(root) if operation.derivative == "none"}


def _law_cases(spec: Spec) -> dict[str, list[Case]]:
    """The cases of laws, by the operation that each is about."""
    about: dict[str, list[Case]] = {}
    for behavior in spec.behaviors:
        if behavior.chapter == LAWS:
            for case in behavior.cases:
                about.setdefault(case.name.partition("[")[0], []).append(case)
    return about


class _Trial:
    """One operation with every fault that its cases can tell. `own` are the rows that its value is
    made with; others that a case uses are those of the backward pass."""

    def __init__(
        self, engine: ChangedEngine, spec: Spec, behavior: Behavior, about: list[Case]
    ) -> None:
        self.engine = engine
        self.spec = spec
        self.behavior = behavior
        own_uses = [(case, self.uses(case)) for case in behavior.cases]
        self.tried = any(used for _, used in own_uses)
        self.own = {
            name.partition(",")[0]
            for case, used in own_uses
            for name, _ in used
            if case.name.endswith("value") and "vjp(" not in case.text
        }
        if behavior.id.endswith("-refuses"):
            self.own = set()  # its cases have no value
        self.breaks: dict[tuple[str, str], list[Case]] = {}
        for case, used in [*own_uses, *((case, self.uses(case)) for case in about)]:
            for name, change in used:
                if self.is_made(name, change, case):
                    self.breaks.setdefault((name, change), []).append(case)

    def uses(self, case: Case) -> set[tuple[str, str]]:
        """The switches that a case goes through; a case that does not pass without any fault has none."""
        switches.used.clear()
        healthy = _verdict(self.engine, self.spec, case) == "pass"
        return set(switches.used) if healthy else set()

    def is_made(self, name: str, change: str, case: Case) -> bool:
        """Whether a fault counts, and a case may notice it."""
        if name.partition(",")[0] not in self.own or (change in OUTERMOST and len(self.own) > 1):
            return False
        if (self.behavior.id, change) in HARMLESS_MISTAKES:
            return False
        if change in NEEDS_ITS_LAW:
            return case.behavior.id in MEANT[change]
        return change not in PLAINLY_WRONG or case.behavior.chapter != LAWS

    def run(self, found: OperationFindings) -> None:
        """Switch each fault on, and run the cases that may notice it until one does.

        Where the value is made with several rows, a mistake may cancel out in one of them: it counts
        once, and must be noticed in one of the rows. What is plainly wrong must be in each.
        """
        mistakes: dict[tuple[str, str], list[str]] = {}
        for name, change in sorted(self.breaks):
            if f"{self.behavior.id}: {change} of {name}" not in HARMLESS:
                key = name if change in PLAINLY_WRONG else ""
                mistakes.setdefault((change, key), []).append(name)
        for (change, _), names in mistakes.items():
            places = [[*names]] if change in TOGETHER else [[name] for name in names]
            noticing = next(filter(None, (self.noticing(place, change) for place in places)), None)
            found.faults += 1
            made = found.kinds.setdefault(change, [0, 0])
            made[0] += 1
            made[1] += noticing is not None
            if noticing is None:
                found.unnoticed.append(f"{self.behavior.id}: {change} of {' and of '.join(names)}")
            elif noticing.behavior.chapter == LAWS:
                law = noticing.behavior.id
                found.laws[law] = found.laws.get(law, 0) + 1
        switches.turn((), "")

    def noticing(self, names: list[str], change: str) -> Case | None:
        """The first case that notices a fault in some rows at once."""
        meant = MEANT.get(change, ())
        breaks = {case.id: case for name in names for case in self.breaks[name, change]}
        cases = sorted(breaks.values(), key=lambda case: case.behavior.id not in meant)
        switches.turn(self.own if change in TOGETHER else names, change)
        verdicts = ((case, _verdict(self.engine, self.spec, case)) for case in cases)
        return next((case for case, verdict in verdicts if verdict in FAILED), None)


def _verdict(engine: ChangedEngine, spec: Spec, case: Case) -> str:
    observations = engine.run(case.program, CASE_SECONDS)
    return judge(case, observations, spec.kinds, engine.identity.exact_kinds).verdict
