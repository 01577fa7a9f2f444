"""Faults of what `autograd.backward` and `autograd.grad` make of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .engine import inside, torch
from .patch import Patch

__all__ = ["asked", "listed", "seeded"]

ORDER = {
    "backward": "tensors grad_tensors retain_graph create_graph grad_variables inputs",
    "grad": "outputs inputs grad_outputs retain_graph create_graph only_inputs allow_unused "
    "is_grads_batched materialize_grads",
}

Asked = Callable[[Callable[..., Any], dict[str, Any]], Any]


def asked(patch: Patch, name: str, change: Asked) -> None:
    """Put `change(run, given)` in the place of `backward` (the method too) or of `grad`.

    `given` holds the arguments by name; `run(**others)` is the right function with what was given,
    but for the others.
    """
    order = ORDER[name].split()

    def make(original: Any) -> Any:
        def function(*args: Any, **kwargs: Any) -> Any:
            given = dict(zip(order, args, strict=False)) | kwargs
            return change(lambda **others: original(**{**given, **others}), given)

        return function

    patch.wrap(torch.autograd, name, make)


def listed(value: Any) -> list[Any]:
    """One tensor or edge, or several, as a list."""
    if isinstance(value, dict):
        return list(value.values())
    single = isinstance(value, torch.Tensor | torch.autograd.graph.GradientEdge)
    return [value] if single else list(value)


def seeded(patch: Patch, change: Callable[[Sequence[Any], list[Any]], None]) -> None:
    """Let `change(roots, seeds)` see or change what a pass is seeded with, before it is checked."""

    def around(check: Callable[..., Any], roots: Any, given: Any) -> Any:
        seeds = list(given)
        change(roots, seeds)
        return check(roots, seeds)

    inside.around_seeds(patch, around)
