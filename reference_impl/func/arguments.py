"""What the function transforms are given and what their functions give back, checked."""

from __future__ import annotations

from typing import Any

from ..backend.dtypes import DIFFERENTIABLE
from ..tensor.tensor import Tensor
from .nested import structure

__all__ = [
    "check_argnums", "check_chunk_size", "check_dims", "check_inputs", "check_outputs",
    "check_randomness", "check_same_structure", "check_tangents"
]  # fmt: skip


def check_same_structure(what: str, given: Any, like: Any, other: str) -> None:
    """Two nested containers that belong together.

    Raises:
        RuntimeError: they are built differently.
    """
    if structure(given) != structure(like):
        raise RuntimeError(
            f"{what} and {other} must be nested alike, in tuples, lists and dicts of one structure"
        )


def check_argnums(argnums: Any, count: int) -> None:
    """The positions of the arguments to differentiate by.

    Raises:
        RuntimeError: neither a number nor a tuple of different numbers, or one out of range.
    """
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(
            f"argnums must be an int or a tuple of ints, got {type(argnums).__name__}"
        )
    places = argnums if isinstance(argnums, tuple) else (argnums,)
    if not places:
        raise RuntimeError("argnums must be non-empty")
    for place in places:
        if not isinstance(place, int):
            raise RuntimeError(
                f"argnums must be an int or a tuple of ints, got a {type(place).__name__} in it"
            )
        if not -count <= place < count:
            raise RuntimeError(f"got argnum={place}, but only {count} positional arguments")
    if len(set(places)) != len(places):
        raise RuntimeError(f"argnums must be unique, got {argnums}")


def check_inputs(values: list[Any]) -> None:
    """The values to differentiate by.

    Raises:
        ValueError: one is not a tensor.
    """
    for x in values:
        if not isinstance(x, Tensor):
            raise ValueError(
                "what a transform differentiates by must consist of Tensors, got "
                f"{type(x).__name__}; leave other values out of it by argnums"
            )


def check_outputs(name: str, values: list[Any], differentiable: bool = True) -> None:
    """What a function gave that is to be differentiated.

    Raises:
        RuntimeError: nothing, or something that is not a tensor (of floating or complex dtype,
            unless ``differentiable`` is False).
    """
    if not [v for v in values if v is not None]:
        raise RuntimeError(f"{name}: the function must return something, got {values}")
    for out in values:
        if not isinstance(out, Tensor):
            raise RuntimeError(
                f"{name}: the function must return only tensors, got {type(out).__name__}"
            )
        if differentiable and out._data.dtype not in DIFFERENTIABLE:
            raise RuntimeError(
                f"{name}: all outputs must be floating-point or complex Tensors, got {out.dtype}"
            )


def check_tangents(primals: Any, tangents: Any, inputs: list[Any], along: list[Any]) -> None:
    """Primals and tangents of jvp, and the values in them.

    Raises:
        RuntimeError: no tuples of tensors alike in structure and shapes.
        ValueError: a primal that is not of floating or complex dtype.
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp: expected primals to be a tuple, as in func(*primals), got "
            f"{type(primals).__name__}"
        )
    check_same_structure("jvp: primals", primals, tangents, "tangents")
    if not inputs:
        raise RuntimeError("jvp: expected primals to contain at least one Tensor")
    for what, values in (("primals", inputs), ("tangents", along)):
        for x in values:
            if not isinstance(x, Tensor):
                raise RuntimeError(f"jvp: expected {what} of Tensors, got {type(x).__name__}")
    for x, t in zip(inputs, along, strict=True):
        if x._data.dtype not in DIFFERENTIABLE:
            raise ValueError(f"jvp: a primal must be floating point or complex, got {x.dtype}")
        if x._data.shape != t._data.shape:
            raise RuntimeError(
                f"jvp: a tangent has shape {list(t.shape)}, its primal {list(x.shape)}"
            )


def check_chunk_size(name: str, chunk_size: Any) -> None:
    """How many entries may be computed at once.

    Raises:
        ValueError: none or less.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"{name}: chunk_size must be None or greater than 0, got {chunk_size}")


def check_randomness(randomness: Any) -> None:
    """What random numbers do in vmap.

    Raises:
        RuntimeError: another word.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"randomness must be 'error', 'different' or 'same', got {randomness!r}")


def check_dims(in_dims: Any, values: list[Any], places: list[Any]) -> None:
    """The dimension of each value that vmap maps over.

    Raises:
        ValueError: a dimension that is no number, of what is no tensor, or that is not there.
    """
    for x, place in zip(values, places, strict=True):
        if place is None:
            continue
        if not isinstance(place, int):
            raise ValueError(
                f"vmap(in_dims={in_dims!r}): expected ints and None, got {type(place).__name__}"
            )
        if not isinstance(x, Tensor):
            raise ValueError(
                f"vmap(in_dims={in_dims!r}): an argument of type {type(x).__name__} cannot be "
                "mapped over; give None for it"
            )
        if not -x.ndim <= place < x.ndim:
            raise ValueError(
                f"vmap(in_dims={in_dims!r}): dimension {place} of a tensor with {x.ndim} dimensions"
            )
