"""Faults of operations, made by rule instead of by hand: in the reference, each kernel is off by a
constant, each vjp rule is off by a constant, each rule's result is cut from its history.

Which behaviors of the catalogue a fault breaks is observed: those in whose cases the kernel or the
rule is used, if the operation's value is made with that row. Each of them must notice it.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gradspec.spec.catalogue.operations import catalogue
from gradspec.spec.model import Behavior, Case, Spec
from gradspec.spec.reading.folder import ROOT, operation_paths

from ...judging.judge import judge
from ...judging.verdict import FAILED
from ...running.runner import kinds_as_data
from . import switches
from .child import start_child, status_of
from .engine_copy import ChangedEngine

CASE_SECONDS = 2.0
CENTRED = "the centred rows that it goes through or ends in sum to zero, so a constant cancels"
AGAIN = "what is cut is differentiated only in a derivative of the tangent"
IN_DIFFERENCES = "a constant cancels in differences"
CONSTANT = "the gradient of an operand that is constant here"
THIRD = "its rule runs in the second pass, whose result nothing differentiates"
HARMLESS = {
    "reduction.diff: value of cat": IN_DIFFERENCES,
    "reduction.cov: second order of mean, x": CENTRED,
    "reduction.cov: second order of sub, y": CENTRED,
    "reduction.cov: second order of sum, x": CENTRED,
    "reduction.corrcoef: second order of mean, x": CENTRED,
    "reduction.corrcoef: second order of sub, y": CENTRED,
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
    "factorizations.householder-product: second order of view, x": THIRD,
    "systems.slogdet: second order of mul, x": "the derivative of a sign is zero",
    "systems.logdet: value of linalg_slogdet": "of the sign it only matters whether it is -1",
    "systems.lu-factor: second order of mm, x": "the permutation of the rows is constant",
    "fft.stft: gradient of cat, xs": "what is joined first is the zeros before the signal",
    "reduction.argsort: value of sort": "the sorted values are left away",
    "activation.rrelu: value of fill": "slopes of positive elements are not used",
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
}
"""Faults made by rule that change nothing, and why."""


@dataclass
class OperationFindings:
    """What the catalogue notices. `unnoticed` are lines that name a behavior and a fault that it uses
    and does not notice; `tried` are behaviors that a fault breaks, `untried` those that none can."""

    faults: int = 0
    unnoticed: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    broken: str = ""


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
    engine = ChangedEngine("graph.row", switch_rows, kinds=kinds_as_data(spec))
    found = OperationFindings()
    # What never requires a gradient need not be a row: indices, counts, truth.
    constant = {operation.id for operation in catalogue(root) if operation.derivative == "none"}
    for behavior in behaviors_of_operations(spec, root, select):
        uses = _healthy_uses(engine, spec, behavior)
        if any(used for _, used in uses):
            found.tried.append(behavior.id)
        elif behavior.id not in constant:
            found.untried.append(behavior.id)
        own = {
            name
            for case, used in uses
            for name, _ in used
            if case.name.endswith("value") and "vjp(" not in case.text
        }  # rows that the value is made with; others are the backward pass's
        breaks: dict[tuple[str, str], list[Case]] = {}
        for case, used in uses:
            for name, change in used:
                if name.partition(",")[0] in own:
                    breaks.setdefault((name, change), []).append(case)
        for (name, change), cases in sorted(breaks.items()):
            found.faults += 1
            switches.turn(name, change)
            told = f"{behavior.id}: {change} of {name}"
            if not any(_fails(engine, spec, case) for case in cases) and told not in HARMLESS:
                found.unnoticed.append(told)
        switches.turn("", "")
    return found


def _healthy_uses(
    engine: ChangedEngine, spec: Spec, behavior: Behavior
) -> list[tuple[Case, set[tuple[str, str]]]]:
    """The switches through which each case goes; a case that fails without any fault has none."""
    uses = []
    for case in behavior.cases:
        switches.used.clear()
        healthy = not _fails(engine, spec, case)
        uses.append((case, set(switches.used) if healthy else set()))
    return uses


def _fails(engine: ChangedEngine, spec: Spec, case: Case) -> bool:
    observations = engine.run(case.program, CASE_SECONDS)
    verdict = judge(case, observations, spec.kinds, engine.identity.exact_kinds)
    return verdict.verdict in FAILED
