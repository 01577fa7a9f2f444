"""An engine whose `backward` takes no gradient, as in many small tapes: derivatives are still tested, and only
calls that give a gradient are unsupported."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradspec.conformance.reporting.repro import HOLDS, script_of
from gradspec.conformance.running.runner import Options, Session, open_session
from gradspec.spec.load import load_spec
from suite_kit import run_python, spec_of_programs, verdicts_on

ENGINE = """
import numpy as np

class Tensor:
    def __init__(self, data, requires_grad=False, parents=()):
        self.data = np.array(data, dtype=np.float32)
        self.requires_grad, self.grad, self.parents = requires_grad, None, parents

    shape = property(lambda self: self.data.shape)
    dtype = property(lambda self: self.data.dtype)

    def tolist(self):
        return self.data.tolist()

    def made(self, data, *parents):
        kept = tuple(pair for pair in parents if pair[0].requires_grad)
        return Tensor(data, bool(kept), kept)

    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        return self.made(self.data * other.data, (self, lambda g: g * other.data), (other, lambda g: g * self.data))

    def __add__(self, other):
        return self.made(self.data + other.data, (self, lambda g: g), (other, lambda g: g))

    def sum(self):
        return self.made(self.data.sum(), (self, lambda g: np.broadcast_to(g, self.shape)))

    def __getitem__(self, index):
        return self.made(self.data[index])

    def backward(self, retain_graph=False):
        if not self.requires_grad:
            raise RuntimeError("nothing here requires grad")
        if self.data.size != 1:
            raise RuntimeError("only a scalar has a backward pass")
        self.flow(np.ones_like(self.data))

    def flow(self, g):
        if not self.parents:
            self.grad = Tensor(g if self.grad is None else self.grad.data + g)
        for parent, rule in self.parents:
            parent.flow(rule(g))

def tensor(data, requires_grad=False):
    return Tensor(data, requires_grad)
"""
CASES = {case.id: case for case in load_spec().cases}
PRODUCT = "derivatives.fan-out-adds/both-operands-of-one-operation[product]"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    # which is a local name of a helper, too
    (tmp_path / "cotangent.py").write_text(ENGINE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return open_session(Options("module:cotangent"))


@pytest.mark.parametrize(
    ("case", "verdict", "about"),
    [
        (PRODUCT, "pass", ""),
        ("backward.gradient-is-vjp-vector/elementwise", "unsupported", "backward(gradient)"),
        (
            "derivatives.indexing-puts-back/in-many-ways[a-mask]",
            "unsupported",
            "tensors as indices",
        ),
    ],
)
def test_only_a_gradient_that_is_given_is_unsupported(
    case: str, verdict: str, about: str, session: Session
) -> None:
    found = session.run_case(CASES[case])
    assert (found.verdict, about in found.message) == (verdict, True), found.message


def test_the_gradient_of_what_does_not_depend_on_the_input(
    session: Session, tmp_path: Path
) -> None:
    """Its tape raises an error where nothing was recorded: there is no pass to run."""
    program = (
        "assert vjp(lambda x: tensor([5.0]), (tensor([1.0, 2.0]),), tensor([3.0])) == ([0.0, 0.0],)"
    )
    found = verdicts_on(
        "module:cotangent", spec_of_programs(tmp_path / "spec", {"unused": program})
    )
    assert [item.verdict for item in found.values()] == ["pass"], found


def test_a_script_runs_its_backward_pass(session: Session, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(script_of(CASES[PRODUCT], "module:cotangent"), "utf-8")
    found = run_python("script.py", cwd=tmp_path)
    assert HOLDS in found.stdout, found.stderr
