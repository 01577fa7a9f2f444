"""Custom functions within ``vmap``, which maps one entry at a time: each call is a batch of one."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import errors
from ..mode import mode
from ..ops.shape import unsqueeze
from ..tensor.tensor import Tensor

__all__ = ["VmapInfo", "call_rule", "has_rule"]


class VmapInfo(NamedTuple):
    """What a rule is told about the ``vmap`` that runs."""

    batch_size: int
    randomness: str


def has_rule(function: Any, default: Any) -> bool:
    """Whether a custom function has a vmap rule of its own, rather than one generated from its code.

    Raises:
        RuntimeError: it has neither, or both.
    """
    own = function.vmap is not default
    if own is bool(function.generate_vmap_rule):
        found = "both" if own else "neither"
        raise errors.custom_function(
            f"{function.__name__}: expected either a static method vmap or generate_vmap_rule=True, "
            f"found {found}. Define one of them to use the function within vmap."
        )
    return own


def call_rule(function: Any, args: tuple[Any, ...]) -> Any:
    """What the rule of a custom function gives for one entry."""
    in_dims = tuple(0 if isinstance(a, Tensor) else None for a in args)
    batch = [unsqueeze(a, 0) if isinstance(a, Tensor) else a for a in args]
    info = VmapInfo(1, mode.randomness)
    # The rule is asked to do itself what randomness says; around it, another vmap may run.
    *around, outside = mode.randomness_around
    with mode.changed(
        mapped=mode.mapped - 1, randomness=outside, randomness_around=tuple(around)
    ):
        found = function.vmap(info, in_dims, *batch)
    if not isinstance(found, tuple) or len(found) != 2:
        raise errors.custom_function(
            f"{function.__name__}: expected vmap to return the results and their dimensions, got "
            f"{type(found).__name__}"
        )
    results, dims = found
    if not isinstance(results, tuple):
        return entry(results, dims)
    dims = dims if isinstance(dims, tuple) else (dims,) * len(results)
    return tuple(entry(r, d) for r, d in zip(results, dims, strict=True))


def entry(result: Any, dim: int | None) -> Any:
    """The one entry of a batch."""
    return result if dim is None or not isinstance(result, Tensor) else result.select(dim, 0)
