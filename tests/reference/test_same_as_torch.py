"""Programs must print on the reference exactly what they print on PyTorch."""

from __future__ import annotations

import pytest

from .both import printed_by_both, programs

pytest.importorskip("torch")
CASES = dict(programs())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_same_output(name: str) -> None:
    expected, found = printed_by_both(CASES[name])
    assert found == expected
