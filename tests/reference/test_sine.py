"""The sine of many numbers at once is as good as that of each alone."""

from __future__ import annotations

import math

import gradspec.reference_impl as torch
import numpy as np
import pytest

RNG = np.random.default_rng(5)
RANGES = {"a turn": 3.2, "many turns": 1e3, "a million": 1e6, "near zero": 1e-8}


@pytest.mark.parametrize("reach", RANGES.values(), ids=RANGES)
def test_two_units_in_the_last_place(reach: float) -> None:
    x = RNG.uniform(-reach, reach, 4000)
    found = torch.sin(torch.tensor(x)).numpy()
    expected = np.array([math.sin(v) for v in x.tolist()])
    assert np.all(np.abs(found - expected) <= 2 * np.spacing(np.abs(expected)))


def test_zeros_and_what_is_no_number() -> None:
    x = np.array([0.0, -0.0, math.pi, -math.pi, 2 * math.pi, math.inf, -math.inf, math.nan] * 100)
    found = torch.sin(torch.tensor(x)).numpy()
    with np.errstate(invalid="ignore"):
        expected = np.sin(x)
    assert np.array_equal(np.signbit(found[:2]), [False, True])
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0)


def test_every_layout_and_dtype() -> None:
    x = torch.tensor(RNG.uniform(-3, 3, (40, 50)))
    assert torch.sin(x.t()).shape == (50, 40)
    assert torch.equal(torch.sin(x.t()), torch.sin(x).t())
    assert torch.sin(x.float()).dtype == torch.float32
