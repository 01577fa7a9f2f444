"""An engine is blamed for its own faults only: not for one fault under the name of another, nor for
what the words that stand in for a missing one have made of its tensors."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_kit import gradspec, spec_of_programs, verdicts_on

ENGINE = '''
"""A tape of two dtypes that only accumulates, whose detach() copies, and whose exp takes no `out`."""
import numpy as np

float32, float64 = np.dtype("float32"), np.dtype("float64")


class Tensor:
    def __init__(self, array, requires_grad=False, source=None):
        self.array, self.requires_grad, self.source, self.grad = array, requires_grad, source, None

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype)

    def __mul__(self, number):
        return Tensor(self.array * number)

    def tolist(self):
        return self.array.tolist()

    def numpy(self):
        return self.array

    def detach(self):
        return Tensor(self.array.copy())

    def backward(self, gradient):
        self.source.grad = Tensor(gradient.array * self.array)


def tensor(values, dtype=float32, requires_grad=False):
    return Tensor(np.array(values, dtype), requires_grad)


def exp(x):
    return Tensor(np.exp(x.array), x.requires_grad, x)


def reshape(x, shape):
    return Tensor(x.array.reshape(shape), x.requires_grad, x)
'''
PROGRAMS = {
    "float64": """
        x = tensor([0.703125], dtype=float64)
        assert vjp(lambda x: exp(x), (x,), tensor([2.0], dtype=float64)) == ([4.040111055417393],)
        """,
    "float32": """
        x = tensor([0.703125])
        assert vjp(lambda x: exp(x), (x,), tensor([2.0])) == ([4.040111055417393],)
        """,
    "a view": """
        x = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        assert shares_storage(reshape(x, (3, 2)), x)
        """,
    "a copy": """
        x = tensor([1.0, 2.0])
        assert shares_storage(exp(x), x)
        """,
    "one argument more": "assert exp(tensor([0.0]), tensor([0.0])) == [1.0]",
}
EXPECTED = {
    "float64": ("pass", ""),
    "float32": ("pass", ""),
    "a view": ("pass", ""),
    "a copy": ("fail", "`shares_storage(exp(x), x)` does not hold"),
    "one argument more": ("unsupported", "an argument of exp"),
}


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "copies_on_detach.py").write_text(ENGINE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return spec_of_programs(tmp_path / "spec", PROGRAMS)


@pytest.mark.parametrize("isolate", [False, True])
def test_each_verdict_is_that_of_the_engine(isolate: bool, spec: Path) -> None:
    found = verdicts_on("module:copies_on_detach", spec, isolate=isolate)
    assert {name: (item.verdict, item.message) for name, item in found.items()} == EXPECTED


@pytest.mark.parametrize("name", ["float64", "float32", "a view"])
def test_the_script_comes_to_the_same(name: str, spec: Path, tmp_path: Path) -> None:
    case = f"tiny.all/{name.replace(' ', '-')}"
    told = gradspec("repro", case, "--impl=module:copies_on_detach", f"--spec={spec}", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    exec(compile(told.stdout, "script", "exec"), {"__name__": "script"})
