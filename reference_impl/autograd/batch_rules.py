"""Custom functions within ``vmap`` that have a rule for a whole batch."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import errors
from ..mode import mode
from ..ops import FUNCTIONS
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
    """What the rule of a custom function gives for one entry. It is called once for all of them.

    Raises:
        RuntimeError: the rule does not return a pair, or entries call different functions.
    """
    entry = mode.entry

    def rule(calls: list[tuple[Any, ...]]) -> list[Any]:
        return results_of(function, entry.entries, calls)

    return entry.at_once((function, args), rule)


def results_of(function: Any, entries: Any, calls: list[tuple[Any, ...]]) -> list[Any]:
    """What the rule gives for each entry, from the arguments of each."""
    batches = [batch(list(column), entries) for column in zip(*calls, strict=True)]
    in_dims = tuple(dim for _, dim in batches)
    # The rule is asked to do itself what randomness says; around it, another vmap may run.
    *around, randomness = mode.randomness_around
    outside = mode.changed(
        mapped=mode.mapped - 1,
        entry=entries.outer,
        transforms=entries.transforms,
        randomness=randomness,
        randomness_around=tuple(around),
    )
    if all(dim is None for dim in in_dims):
        with outside:
            return [function.apply(*calls[0])] * len(calls)
    info = VmapInfo(entries.size, mode.randomness)
    with outside:
        found = function.vmap(info, in_dims, *(value for value, _ in batches))
    if not isinstance(found, tuple) or len(found) != 2:
        raise errors.custom_function(
            f"{function.__name__}: expected vmap to return the results and their dimensions, got "
            f"{type(found).__name__}"
        )
    results, dims = found
    single = not isinstance(results, tuple)
    results = (results,) if single else results
    dims = dims if isinstance(dims, tuple) and not single else (dims,) * len(results)
    if len(dims) != len(results) or not all(d is None or isinstance(d, int) for d in dims):
        raise errors.custom_function(
            f"{function.__name__}: vmap returned incompatible dimensions {dims}; expected an int or None "
            f"for each of its {len(results)} results"
        )
    columns = [parts(r, d, entries.size) for r, d in zip(results, dims, strict=True)]
    return columns[0] if single else list(zip(*columns, strict=True))


def batch(column: list[Any], entries: Any) -> tuple[Any, int | None]:
    """One argument of all entries as the rule gets it, and the dimension that is mapped: None where it
    is the same for all of them."""
    first = column[0]
    if not isinstance(first, Tensor):
        return first, None
    whole: tuple[Any, int] | None = entries.part_of(first)
    if whole is not None and all(entries.part_of(x) is whole for x in column):
        return whole
    if all(x is first for x in column) and (len(column) > 1 or id(first._vc) in mode.shared):
        return first, None
    stack = FUNCTIONS["stack"](column, 0)
    return (stack if entries.size else stack.narrow(0, 0, 0)), 0


def parts(result: Any, dim: int | None, size: int) -> list[Any]:
    """The entries of a result: one of zeros where there are none."""
    if dim is None or not isinstance(result, Tensor):
        return [result] * (size or 1)
    if not size:
        dims = list(result.shape)
        del dims[dim]
        return [FUNCTIONS["zeros"](dims, dtype=result.dtype)]
    return [result.select(dim, k) for k in range(size)]
