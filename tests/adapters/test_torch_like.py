"""Engines with PyTorch's names that need no adapter: how their values are read."""

from __future__ import annotations

import re
import sys
import types
from typing import Any

import pytest
from gradspec.adapters.framework.classify import pattern
from gradspec.adapters.framework.torch_like import ModuleEngine
from gradspec.conformance.running.runner import Options, open_session


class Without:
    """A tensor without memory: it must be copied to be read."""

    copies = 0

    def __init__(self, readable: bool, copies_can_be_read: bool = True) -> None:
        self.readable, self.copies_can_be_read = readable, copies_can_be_read
        self.shape, self.dtype = (2,), "float32"

    def tolist(self) -> list[float]:
        if not self.readable:
            raise RuntimeError("no memory")
        return [0.0, 0.0]

    def clone(self) -> Without:
        Without.copies += 1
        return Without(self.copies_can_be_read, self.copies_can_be_read)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> ModuleEngine:
    module: Any = types.ModuleType("without_memory")
    module.Tensor = Without
    monkeypatch.setitem(sys.modules, "without_memory", module)
    monkeypatch.setattr(Without, "copies", 0)
    return ModuleEngine("without_memory")


def test_a_tensor_that_cannot_be_read_is_read_by_a_copy(engine: ModuleEngine) -> None:
    assert engine.describe_tensor(Without(readable=False))["tensor"]["values"] == [0.0, 0.0]
    assert Without.copies == 1


def test_a_tensor_that_can_be_read_is_not_copied(engine: ModuleEngine) -> None:
    engine.describe_tensor(Without(readable=True))
    assert Without.copies == 0


def test_when_no_copy_helps_the_first_error_is_told(engine: ModuleEngine) -> None:
    with pytest.raises(RuntimeError, match="no memory") as raised:
        engine.describe_tensor(Without(readable=False, copies_can_be_read=False))
    assert Without.copies == 1
    assert raised.value.__context__ is None


def test_a_malformed_rule_of_an_adapter_is_found_when_it_is_written() -> None:
    """Not at the first error of the engine, in the middle of a run."""
    with pytest.raises(re.error):
        pattern("graph-freed", "second (time")


def test_pytorch_needs_no_adapter_for_zeros_without_memory() -> None:
    """Gradients of piecewise constant functions are such zeros."""
    pytest.importorskip("torch")
    session = open_session(Options("module:torch"))
    cases = [case for case in session.cases() if case.id.startswith("unary.sgn/")]
    failed = [v for v in map(session.run_case, cases) if v.verdict != "pass"]
    session.close()
    assert cases
    assert not failed, failed[0].message
