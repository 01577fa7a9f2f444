"""``torch.vmap``: a function mapped over a dimension of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from .. import errors
from ..mode import mode
from ..ops import FUNCTIONS
from ..ops.generator import DEFAULT
from ..tensor.tensor import Tensor
from .arguments import check_chunk_size, check_dims, check_randomness
from .captured import captured_by
from .entries import Entries
from .nested import leaves_of, mapped, refilled

__all__ = ["drawing_within", "vmap"]


def spread(dims: Any, tree: Any) -> Any:
    """``in_dims`` for every value: what is no container stands for all below it.

    Raises:
        ValueError: they are built differently.
    """
    if not isinstance(dims, (tuple, list, dict)):
        return mapped(lambda _: dims, tree)
    if type(dims) is not type(tree) or len(dims) != len(tree):
        raise errors.wrong_value(
            f"vmap: dimensions {dims!r} do not fit the structure of the values"
        )
    if isinstance(tree, dict):
        return {k: spread(dims[k], part) for k, part in tree.items()}
    return type(tree)(spread(d, part) for d, part in zip(dims, tree, strict=True))


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """A function that maps ``func`` over dimension ``in_dims`` of its arguments (None: the same for
    all) and stacks what it returns along ``out_dims``. It is called once for each entry; ``chunk_size``
    is how many the rule of a custom function gets at once.

    Raises:
        ValueError: when called, where no argument is mapped over, sizes differ, or the function
            returns something that is not a tensor.
    """

    check_randomness(randomness)
    check_chunk_size("vmap", chunk_size)

    @wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        if not isinstance(in_dims, (int, tuple)):
            raise errors.wrong_value(
                f"vmap(in_dims={in_dims!r}): expected an int, or a tuple nested like the arguments"
            )
        places, values = leaves_of(spread(in_dims, args)), leaves_of(args)
        check_dims(in_dims, values, places)
        sizes = {x.shape[d] for x, d in zip(values, places, strict=True) if d is not None}
        if len(sizes) != 1:
            raise errors.wrong_value(
                "vmap: the mapped dimension must have one size in all arguments; got sizes "
                f"{sorted(sizes)}"
                if sizes
                else "vmap: at least one argument must be mapped over"
            )
        (size,) = sizes
        shared = shared_by(func, values, places)
        chunk = chunk_size or size or 1
        stream = DEFAULT.get_state() if randomness == "same" else None
        results: list[Any] = []
        with mode.changed(
            shared={**mode.shared, **shared}, mapped=mode.mapped + 1, **drawing_within(randomness)
        ):
            for start in range(0, size or 1, chunk):
                part = [
                    x
                    if d is None or chunk >= size
                    else x.narrow(d, start, min(chunk, size - start))
                    for x, d in zip(values, places, strict=True)
                ]
                results += entries_of(func, args, kwargs, part, places, stream).results()
        return stacked(results, out_dims) if size else without_entries(results[0], out_dims)

    return run


def entries_of(
    func: Callable[..., Any],
    args: Any,
    kwargs: Any,
    values: list[Any],
    places: list[Any],
    stream: Any,
) -> Entries:
    """The calls of a function for each entry of its arguments, or for one of zeros if there is none."""
    (size,) = {x.shape[d] for x, d in zip(values, places, strict=True) if d is not None}
    slices = [
        [x] * (size or 1)
        if d is None
        else x.unbind(d)
        if size
        else (FUNCTIONS["zeros"](x.shape[: d % x.ndim] + x.shape[d % x.ndim + 1 :], dtype=x.dtype),)
        for x, d in zip(values, places, strict=True)
    ]
    mapped = {
        id(each): whole
        for parts, x, d in zip(slices, values, places, strict=True)
        if d is not None
        for whole in ((x, d % x.ndim),)
        for each in parts
    }
    calls = [
        partial(func, *refilled(args, [each[k] for each in slices]), **kwargs)
        for k in range(size or 1)
    ]
    return Entries(calls, size, mapped, stream)


def shared_by(func: Callable[..., Any], values: list[Any], places: list[Any]) -> dict[int, Any]:
    """The version counters, by their ids, of the tensors that are the same for all entries: arguments that
    are not mapped over, and what the function captures."""
    counters = captured_by(func)
    for x, d in zip(values, places, strict=True):
        if isinstance(x, Tensor) and d is None:
            counters[id(x._vc)] = x._vc
    return counters


def drawing_within(randomness: str) -> dict[str, Any]:
    """The modes in which random numbers are drawn as the innermost transform was told, unless one around it
    refuses them."""
    return {
        "randomness": randomness,
        "randomness_around": (*mode.randomness_around, mode.randomness),
    }


def without_entries(out: Any, out_dims: Any) -> Any:
    """The result for an empty batch, of the shapes that an entry of zeros gave."""
    return refilled(
        out,
        [
            o if d is None else FUNCTIONS["stack"]([o], d).narrow(d, 0, 0)
            for o, d in zip(leaves_of(out), dims_of(out_dims, out), strict=True)
        ],
    )


def dims_of(out_dims: Any, result: Any) -> list[Any]:
    """Where each value of a result gets the mapped dimension."""
    whole = out_dims[0] if isinstance(out_dims, tuple) and len(out_dims) == 1 else out_dims
    return leaves_of(spread(out_dims if isinstance(result, tuple) else whole, result))


def stacked(results: list[Any], out_dims: Any) -> Any:
    """The results of all entries, put together value by value.

    Raises:
        ValueError: a result is not a tensor.
    """
    first = results[0]
    dims = dims_of(out_dims, first)
    values = [leaves_of(r) for r in results]
    for v in values[0]:
        if not isinstance(v, Tensor):
            raise errors.wrong_value(
                f"vmap: the function must only return Tensors, got {type(v).__name__}"
            )
    return refilled(
        first,
        [
            shared(list(column)) if d is None else FUNCTIONS["stack"](list(column), d)
            for column, d in zip(zip(*values, strict=True), dims, strict=True)
        ],
    )


def shared(column: list[Any]) -> Any:
    """The one result of all entries.

    Raises:
        ValueError: it differs between them.
    """
    first = column[0]
    if any(other is not first and not first.equal(other) for other in column[1:]):
        raise errors.wrong_value(
            "vmap: out_dims is None for a result that differs between the entries; give the "
            "dimension at which they are put together"
        )
    return first
