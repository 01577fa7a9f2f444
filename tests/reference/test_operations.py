"""Value, first and second derivative of every operation, beside PyTorch."""

from __future__ import annotations

from typing import Any

import gradspec.reference_impl as reference
import numpy as np
import pytest

from .both import PROGRAMS
from .rounding import close_to_second_order, epsilon_of, precision

torch = pytest.importorskip("torch")

RNG = np.random.default_rng(0)
WIDE = [RNG.uniform(0.2, 0.9, (2, 3)) for _ in range(3)]
SQUARE = [RNG.uniform(-1, 1, (3, 3)) + k * np.eye(3) for k in (2, 3, 4)]


FIRST_ORDER_ONLY = ("cdist", "hardsigmoid")
"""Operations whose second derivative PyTorch does not have right."""


def expressions() -> list[tuple[str, str]]:
    """(which inputs, expression)."""
    found, group = [], "wide"
    for line in (PROGRAMS / "operations.exprs").read_text().splitlines():
        if line.startswith("# square"):
            group = "square"
        elif line and not line.startswith("#"):
            found.append((group, line))
    return found


def derivatives(engine: Any, expression: str, arrays: list[Any], order: int) -> list[Any]:
    """The value, and the derivatives of its sum of squares up to an order."""
    xs = [engine.tensor(a, dtype=engine.float64, requires_grad=True) for a in arrays]
    y = eval(expression, {"t": engine, **dict(zip("abc", xs, strict=True))})
    results = [y]
    total = (y * y).sum()
    for k in range(order):
        if not total.requires_grad:
            break
        grads = engine.autograd.grad(total, xs, create_graph=k + 1 < order, allow_unused=True)
        results += [x * 0 if g is None else g for g, x in zip(grads, xs, strict=True)]
        total = sum((g * g).sum() for g in grads if g is not None)
    return [np.array((r.detach() + 0).tolist()) for r in results]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("group", "expression"), expressions())
def test_derivatives(group: str, expression: str) -> None:
    arrays = WIDE if group == "wide" else SQUARE
    order = 1 if any(name in expression for name in FIRST_ORDER_ONLY) else 2
    try:
        expected = derivatives(torch, expression, arrays, order)
    except RuntimeError:  # PyTorch has no second derivative here
        order = 1
        expected = derivatives(torch, expression, arrays, order)
    try:
        found = derivatives(reference, expression, arrays, order)
    except AttributeError as error:
        pytest.skip(f"not in the reference yet: {error}")
    assert len(found) == len(expected)
    epsilon = precision(expression, epsilon_of("float64"))
    for f, e in zip(found, expected, strict=True):
        assert close_to_second_order(e, f, epsilon), f"expected {e}, found {f}"
