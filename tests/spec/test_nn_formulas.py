"""The formulas of normalizations, distances and losses, against slower ones and SciPy's."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.spatial.distance
import scipy.special
from gradspec.spec.catalogue.formulas import evaluate
from gradspec.spec.catalogue.nn_formulas import (
    class_loss,
    ctc,
    distances,
    label_margins,
    log_shares,
    margins,
    row_distances,
    softplus,
    sum_around,
)


def samples(*shape: int) -> Any:
    return np.random.default_rng(7).normal(size=shape)


def spelled(path: tuple[int, ...], blank: int) -> list[int]:
    """What a path spells: repetitions merged, then blanks taken out."""
    return [label for label, _ in itertools.groupby(path) if label != blank]


@pytest.mark.parametrize("target", [[], [1], [1, 1], [1, 2], [2, 1, 2]])
@pytest.mark.parametrize("frames", [3, 4])
def test_ctc_is_the_sum_over_all_paths(target: list[int], frames: int) -> None:
    logs = log_shares(samples(4, 1, 3), 2)
    total = sum(
        np.exp(sum(logs[t, 0, label] for t, label in enumerate(path)))
        for path in itertools.product(range(3), repeat=frames)
        if spelled(path, 0) == target
    )
    (found,) = ctc(logs, np.array([[*target, 0]]), [frames], [len(target)], 0)
    assert found == pytest.approx(-np.log(total))


def test_ctc_of_no_path_is_infinite() -> None:
    (found,) = evaluate(
        "ctc(x, y, n, n, 0)",
        {"x": np.zeros((2, 1, 2)), "y": np.array([[1, 1]]), "n": np.array([2])},
    )
    assert found == np.inf


@pytest.mark.parametrize(("p", "name"), [(1, "cityblock"), (2, "euclidean"), (np.inf, "chebyshev")])
def test_distances(p: float, name: str) -> None:
    x, y = samples(3, 4), samples(2, 4) + 1
    assert distances(x, y, p) == pytest.approx(scipy.spatial.distance.cdist(x, y, name))
    assert row_distances(x, p) == pytest.approx(scipy.spatial.distance.pdist(x, name))


def test_distances_of_order_zero_count() -> None:
    assert distances(np.array([[1.0, 2.0]]), np.array([[1.0, 3.0]]), 0) == np.array([[1.0]])


def test_sum_around_stops_at_the_ends() -> None:
    x = np.array([[1.0, 10.0, 100.0, 1000.0]])
    assert sum_around(x, 3).tolist() == [[11.0, 111.0, 1110.0, 1100.0]]


def test_softplus_and_log_shares() -> None:
    x = samples(3, 4) * 5
    assert softplus(x) == pytest.approx(np.log1p(np.exp(x)))
    assert log_shares(x, 1) == pytest.approx(scipy.special.log_softmax(x, axis=1))
    assert softplus(np.array([1000.0])) == [1000.0]


def test_class_loss_by_hand() -> None:
    logs, w = np.array([[-1.0, -2.0, -4.0], [-1.5, -2.5, -3.5]]), np.array([1.0, 2.0, 3.0])
    assert class_loss(logs, np.array([1, -5]), w, -5).tolist() == [4.0, 0.0]
    smoothed = 0.5 * 4.0 + 0.5 * (1 + 4 + 12) / 3
    assert class_loss(logs, np.array([1, -5]), w, -5, 0.5) == pytest.approx([smoothed, 0.0])


def test_margins_by_hand() -> None:
    x = np.array([[0.5, 1.0, 0.25]])
    assert margins(x, np.array([0]), 1, 1, np.ones(3)) == pytest.approx([(1.5 + 0.75) / 3])
    assert margins(x, np.array([0]), 2, 1, 2 * np.ones(3)) == pytest.approx(
        [2 * (2.25 + 0.5625) / 3]
    )
    listed = np.array([[0, -1, 1]])
    assert label_margins(x, listed) == pytest.approx([(1.5 + 0.75) / 3])
