"""A line search for the strong Wolfe conditions, by bracketing and cubic interpolation.

The algorithm is that of Nocedal and Wright, "Numerical Optimization", chapter 3, with the safeguards
of M. Schmidt's minFunc.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ..tensor import Tensor

__all__ = ["strong_wolfe"]

DECREASE, CURVATURE, LOOKS = 1e-4, 0.9, 25


class Point(NamedTuple):
    """A place on the line: its distance, the loss, the gradient and the slope along the line."""

    at: float
    loss: float
    grad: Tensor
    slope: float


def cubic_minimum(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """Where the cubic through two points with these slopes is least, within bounds."""
    low, high = bounds or (min(a.at, b.at), max(a.at, b.at))
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.at - b.at)
    square = d1**2 - a.slope * b.slope
    if square < 0:
        return (low + high) / 2.0
    d2 = math.sqrt(square)
    if a.at <= b.at:
        found = b.at - (b.at - a.at) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
    else:
        found = a.at - (a.at - b.at) * ((a.slope + d2 - d1) / (a.slope - b.slope + 2 * d2))
    return min(max(found, low), high)


def strong_wolfe(
    look: Callable[[float], tuple[float, Tensor]],
    t: float,
    d: Tensor,
    loss: float,
    grad: Tensor,
    slope: float,
    tolerance: float,
) -> tuple[float, Tensor, float, int]:
    """The loss and gradient found, the distance, and how often ``look`` was asked.

    Args:
        look: the loss and gradient at a distance.
        t: the first distance to try.
        d: the direction.
        loss: the loss at distance 0, with its gradient and slope.
        grad: see ``loss``.
        slope: see ``loss``.
        tolerance: a bracket shorter than this, measured along ``d``, is short enough.
    """
    reach = float(d.abs().max())
    origin = Point(0.0, loss, grad.clone(), slope)

    def visit(distance: float) -> Point:
        value, found = look(distance)
        return Point(distance, value, found.clone(), float(found.dot(d)))

    def too_high(p: Point) -> bool:
        return p.loss > loss + DECREASE * p.at * slope

    previous, here = origin, visit(t)
    looks = 1
    tries = 0
    done = False
    bracket: list[Point] = []
    while tries < LOOKS:
        if too_high(here) or (tries > 1 and here.loss >= previous.loss):
            bracket = [previous, here]
            break
        if abs(here.slope) <= -CURVATURE * slope:
            bracket, done = [here], True
            break
        if here.slope >= 0:
            bracket = [previous, here]
            break
        nearest = here.at + 0.01 * (here.at - previous.at)
        farthest = here.at * 10
        further = cubic_minimum(previous, here, (nearest, farthest))
        previous, here = here, visit(further)
        looks += 1
        tries += 1
    if tries == LOOKS:
        bracket = [origin, here]

    stuck = False
    low, high = (0, 1) if bracket[0].loss <= bracket[-1].loss else (1, 0)
    while not done and tries < LOOKS:
        ends = (bracket[0].at, bracket[1].at)
        if abs(ends[1] - ends[0]) * reach < tolerance:
            break
        t = cubic_minimum(bracket[0], bracket[1])
        margin = 0.1 * (max(ends) - min(ends))
        if min(max(ends) - t, t - min(ends)) < margin:
            if stuck or t >= max(ends) or t <= min(ends):
                nearer_high = abs(t - max(ends)) < abs(t - min(ends))
                t = max(ends) - margin if nearer_high else min(ends) + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        here = visit(t)
        looks += 1
        tries += 1
        if too_high(here) or here.loss >= bracket[low].loss:
            bracket[high] = here
            low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
            continue
        if abs(here.slope) <= -CURVATURE * slope:
            done = True
        elif here.slope * (bracket[high].at - bracket[low].at) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = here
    best: Any = bracket[low if len(bracket) > 1 else 0]
    return best.loss, best.grad, best.at, looks
