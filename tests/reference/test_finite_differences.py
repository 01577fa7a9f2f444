"""Every operation's first and second derivative against finite differences, without PyTorch.

A derivative is held against the difference quotient of values along a random direction; the second
against that of first derivatives. In double precision the two agree to about nine digits, so a
wrong factor, sign or place cannot hide.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import gradspec.reference_impl as reference
import numpy as np
import pytest

from .test_operations import SQUARE, WIDE, expressions

STEP = 1e-5
FLAT = ("t.nextafter", "a.to(t.float32)")
"""Operations that are no smooth functions in double precision: their slopes are a convention."""

Arrays = list[Any]


def tensors(arrays: Arrays) -> list[Any]:
    """Leaves in double precision."""
    return [reference.tensor(a, dtype=reference.float64, requires_grad=True) for a in arrays]


def evaluated(expression: str, xs: list[Any]) -> Any:
    """The value of an expression of a, b and c."""
    return eval(expression, {"t": reference, **dict(zip("abc", xs, strict=True))})


def pulled(expression: str, xs: list[Any], weights: Any) -> list[Any]:
    """The gradients of the weighted sum of an expression, recorded."""
    y = evaluated(expression, xs)
    if not y.requires_grad:
        return [x * 0 for x in xs]
    total = (y * reference.tensor(weights, dtype=reference.float64)).sum()
    grads = reference.autograd.grad(total, xs, create_graph=True, allow_unused=True)
    return [x * 0 if g is None else g for x, g in zip(xs, grads, strict=True)]


def quotient(function: Callable[[Arrays], float], at: Arrays, along: Arrays) -> float:
    """The fourth-order central difference quotient of a function along a direction."""

    def moved(steps: int) -> float:
        return function([a + steps * STEP * d for a, d in zip(at, along, strict=True)])

    return (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * STEP)


def dot(grads: list[Any], along: Arrays) -> Any:
    """The derivative along a direction that gradients tell."""
    terms = [(g * reference.tensor(d)).sum() for g, d in zip(grads, along, strict=True)]
    return sum(terms[1:], terms[0])


@pytest.mark.parametrize(("group", "expression"), expressions())
def test_derivatives(group: str, expression: str) -> None:
    if expression.startswith(FLAT):
        pytest.skip("no smooth function")
    at = WIDE if group == "wide" else SQUARE
    rng = np.random.default_rng(zlib.crc32(expression.encode()))
    along, other = ([rng.uniform(-1, 1, a.shape) for a in at] for _ in range(2))
    xs = tensors(at)
    value = evaluated(expression, xs)
    assert value.dtype is reference.float64
    weights = rng.uniform(-1, 1, value.shape)

    def weighted(arrays: Arrays) -> float:
        with reference.no_grad():
            return float((evaluated(expression, tensors(arrays)).numpy() * weights).sum())

    first = dot(pulled(expression, xs, weights), along)
    assert first.item() == pytest.approx(quotient(weighted, at, along), rel=1e-7, abs=1e-8)

    def slope(arrays: Arrays) -> float:
        return float(dot(pulled(expression, tensors(arrays), weights), along).item())

    second = [x * 0 for x in xs]
    if first.requires_grad:
        found = reference.autograd.grad(first, xs, allow_unused=True)
        second = [z if g is None else g for z, g in zip(second, found, strict=True)]
    assert dot(second, other).item() == pytest.approx(
        quotient(slope, at, other), rel=1e-6, abs=1e-7
    )
