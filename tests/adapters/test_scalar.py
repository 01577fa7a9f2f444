"""Scalar engines, whose tensors are single numbers: `new-adapter` knows them, tensors of one element are
numbers, and what only larger tensors or a flag could show is unsupported."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from gradspec.conformance.cli import main
from gradspec.conformance.running.runner import Options, Session, open_session
from gradspec.spec.load import load_spec

ENGINE = '''
"""As micrograd; a pass adds to the gradients that an earlier one left within the graph."""

class Scalar:
    def __init__(self, data, parents=()):
        self.data, self.parents, self.grad = data, parents, 0

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, ((self, other.data), (other, self.data)))

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, ((self, 1), (other, 1)))

    __rmul__ = __mul__

    def backward(self):
        self.grad = 1
        order, stack = [], [self]
        while stack:
            node = stack.pop()
            if isinstance(node, list):
                order += node
            elif node not in order:
                stack += [[node], *(parent for parent, _ in node.parents)]
        for node in reversed(order):
            for parent, factor in node.parents:
                parent.grad += factor * node.grad
'''


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    package = tmp_path / "tiny_scalars"
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    (package / "scalar.py").write_text(ENGINE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    made = CliRunner().invoke(main, ["new-adapter", "tiny_scalars"], catch_exceptions=False)
    assert "tensor class seems to be Scalar, which holds a single number" in made.output
    return open_session(Options("tiny_scalars_adapter.py:TinyScalarsEngine"))


@pytest.mark.parametrize(
    ("case", "verdict", "about"),
    [
        ("accumulation.second-pass-adds/two-passes-add-up", "pass", ""),
        ("backward.chain-rule/a-product-of-two-sums", "pass", ""),
        ("derivatives.fan-out-adds/three-uses", "pass", ""),
        ("backward.shared-prefix-without-buffers/a-shared-sum", "fail", "expected 8.0, found 11"),
        ("leaf.tracked-result-not-leaf/results-of-results", "unsupported", "is_leaf"),
        ("backward.chain-rule/a-sum-of-squared-errors", "unsupported", "several elements"),
        ("requires_grad.no-input-no-record/a-backward-pass-from-it-is-refused", "unsupported", "flag"),
    ],
)  # fmt: skip
def test_what_runs(case: str, verdict: str, about: str, session: Session) -> None:
    found = session.run_case(next(item for item in load_spec().cases if item.id == case))
    assert (found.verdict, about in found.message) == (verdict, True), found.message
