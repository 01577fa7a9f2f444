"""What the function transforms are given and what their functions give back, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import errors
from ..backend.dtypes import DIFFERENTIABLE
from ..tensor.tensor import Tensor
from .nested import structure

__all__ = [
    "check_argnums", "check_chunk_size", "check_dims", "check_inputs", "check_outputs",
    "check_randomness", "check_same_structure", "check_tangents", "check_ties",
]  # fmt: skip


def check_same_structure(what: str, given: Any, like: Any, other: str) -> None:
    """Two nested containers that belong together.

    Raises:
        RuntimeError: they are built differently.
    """
    if structure(given) != structure(like):
        raise errors.wrong_value(
            f"{what} and {other} must be nested alike, in tuples, lists and dicts of one structure",
            RuntimeError,
        )


def check_argnums(argnums: Any, count: int) -> None:
    """The positions of the arguments to differentiate by.

    Raises:
        RuntimeError: neither a number nor a tuple of different numbers, or one out of range.
    """
    places = argnums if isinstance(argnums, tuple) else (argnums,)
    if not places:
        raise errors.wrong_value("argnums must be non-empty", RuntimeError)
    for place in places:
        if not isinstance(place, int):
            raise errors.wrong_type(
                f"argnums must be an int or a tuple of ints, got {type(place).__name__}",
                RuntimeError,
            )
        if not -count <= place < count:
            raise errors.wrong_index(
                f"got argnum={place}, but only {count} positional arguments", RuntimeError
            )
    if len({place % count for place in places}) != len(places):
        raise errors.wrong_value(f"argnums must be unique, got {argnums}", RuntimeError)


def check_inputs(values: list[Any]) -> None:
    """The values to differentiate by.

    Raises:
        ValueError: one is not a tensor.
    """
    for x in values:
        if not isinstance(x, Tensor):
            raise errors.wrong_value(
                "what a transform differentiates by must consist of Tensors, got "
                f"{type(x).__name__}; leave other values out of it by argnums"
            )


def check_outputs(name: str, values: list[Any], differentiable: bool = True) -> None:
    """What a function gave that is to be differentiated.

    Raises:
        RuntimeError: nothing, or something that is not a tensor (of floating or complex dtype,
            unless ``differentiable`` is False).
    """
    if not values:
        raise errors.wrong_type(
            f"{name}: the function must return something, got {values}", RuntimeError
        )
    for out in values:
        if not isinstance(out, Tensor):
            raise errors.wrong_type(
                f"{name}: the function must return only tensors, got {type(out).__name__}",
                RuntimeError,
            )
        if differentiable and out._data.dtype not in DIFFERENTIABLE:
            raise errors.wrong_dtype(
                f"{name}: all outputs must be floating-point or complex Tensors, got {out.dtype}"
            )


def check_tangents(
    name: str, primals: Any, tangents: Any, inputs: list[Any], along: list[Any]
) -> None:
    """Primals and tangents of the transform ``name``, and the values in them.

    Raises:
        RuntimeError: no tuples of tensors alike in structure and shapes.
        ValueError: a primal that is not of floating or complex dtype.
    """
    if not isinstance(primals, tuple):
        raise errors.wrong_type(
            f"{name}: expected primals to be a tuple, as in func(*primals), got "
            f"{type(primals).__name__}",
            RuntimeError,
        )
    check_same_structure(f"{name}: primals", primals, tangents, "tangents")
    if not inputs:
        raise errors.wrong_value(
            f"{name}: expected primals to contain at least one Tensor", RuntimeError
        )
    for what, values in (("primals", inputs), ("tangents", along)):
        for x in values:
            if not isinstance(x, Tensor):
                raise errors.wrong_type(
                    f"{name}: expected {what} of Tensors, got {type(x).__name__}", RuntimeError
                )
    for x, t in zip(inputs, along, strict=True):
        if x._data.dtype not in DIFFERENTIABLE:
            raise errors.wrong_value(
                f"{name}: a primal must be floating point or complex, got {x.dtype}"
            )
        if x._data.shape != t._data.shape:
            raise errors.wrong_shape(
                f"{name}: a tangent has shape {list(t.shape)}, its primal {list(x.shape)}"
            )


def check_chunk_size(name: str, chunk_size: Any) -> None:
    """How many entries may be computed at once.

    Raises:
        ValueError: none or less.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise errors.wrong_value(
            f"{name}: chunk_size must be None or greater than 0, got {chunk_size}"
        )


def check_randomness(randomness: Any) -> None:
    """What random numbers do in vmap.

    Raises:
        RuntimeError: another word.
    """
    if randomness not in ("error", "different", "same"):
        raise errors.wrong_value(
            f"randomness must be 'error', 'different' or 'same', got {randomness!r}", RuntimeError
        )


def check_dims(in_dims: Any, values: list[Any], places: list[Any]) -> None:
    """The dimension of each value that vmap maps over.

    Raises:
        ValueError: a dimension that is no number, of what is no tensor, or that is not there.
    """
    for x, place in zip(values, places, strict=True):
        if place is None:
            continue
        if not isinstance(place, int):
            raise errors.wrong_value(
                f"vmap(in_dims={in_dims!r}): expected ints and None, got {type(place).__name__}"
            )
        if not isinstance(x, Tensor):
            raise errors.wrong_value(
                f"vmap(in_dims={in_dims!r}): an argument of type {type(x).__name__} cannot be "
                "mapped over; give None for it"
            )
        if not -x.ndim <= place < x.ndim:
            raise errors.wrong_value(
                f"vmap(in_dims={in_dims!r}): dimension {place} of a tensor with {x.ndim} dimensions"
            )


def check_ties(given: Mapping[str, Any], held: Mapping[str, Any]) -> None:
    """The values that ``functional_call`` is given for parameters that are one tensor in the module.

    Raises:
        ValueError: two different ones.
    """
    first: dict[int, str] = {}
    for name in given.keys() & held.keys():
        other = first.setdefault(id(held[name]), name)
        if given[name] is not given[other]:
            raise errors.wrong_value(
                f"functional_call got multiple values for keys {sorted((name, other))}, which are "
                "tied. Give one value for them, or pass tie_weights=False"
            )
