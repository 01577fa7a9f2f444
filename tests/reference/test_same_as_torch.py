"""Programs must print on the reference exactly what they print on PyTorch."""

from __future__ import annotations

import gradspec.reference_impl as reference
import pytest

from .both import printed_by, programs

torch = pytest.importorskip("torch")
CASES = dict(programs())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_same_output(name: str) -> None:
    source = CASES[name]
    assert printed_by(reference, source) == printed_by(torch, source)
