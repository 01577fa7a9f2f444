"""Faults of what else is at hand: sizes, comparisons, seeds, default dtypes, embeddings."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, instead, replaces, torch

EMBEDDING = "nn.functional.embedding"

# --- sizes, dtypes, comparisons ---

instead(
    "offsets_count_from_the_base",
    "A view of a view counts its offset from the view.",
    "storage_offset",
    lambda original, x: min(original(x), 2),
)
instead(
    "the_number_of_elements_is_a_tensor",
    "The number of elements comes as a tensor.",
    "numel",
    lambda original, x: torch.tensor(original(x)),
)
instead(
    "whole_tensors_are_equal_where_some_elements_are",
    "Tensors count as equal if one pair of elements is.",
    "equal",
    lambda original, x, y: original(x, y) or (x.shape == y.shape and bool((x == y).any())),
)
instead(
    "what_is_nearly_equal_must_be_equal",
    "allclose() compares without a tolerance.",
    "allclose",
    lambda original, x, y, *others, **options: bool((x == y).all()),
)
instead(
    "integers_and_floats_make_the_wider_float",
    "An integer dtype and float32 are promoted to float64, as in NumPy.",
    "promote_types",
    lambda original, a, b: (
        torch.float64 if torch.int64 in (a, b) and torch.float32 in (a, b) else original(a, b)
    ),
)
instead(
    "floats_may_be_cast_to_integers",
    "can_cast() allows floats to become integers.",
    "can_cast",
    lambda original, a, b: True,
)
instead(
    "double_keeps_the_dtype",
    "double() and half() give what they were given.",
    "double half",
    lambda original, x, *others, **options: x * 1,
)


@replaces("full")
def names_of_another_library_are_expected(
    original: Any, shape: Any, fill: Any, **options: Any
) -> Any:
    """full() takes its size and value by the names that NumPy has."""
    return original(shape, fill, **options)


@fault
def the_default_dtype_stays(patch: Patch) -> None:
    """set_default_dtype() does nothing."""
    patch.wrap(torch, "set_default_dtype", lambda original: lambda dtype: None)


@fault
def seeds_are_ignored(patch: Patch) -> None:
    """manual_seed() does not start the random numbers anew."""
    patch.wrap(torch, "manual_seed", lambda original: lambda seed: None)


@fault
def functions_in_place_return_a_new_tensor(patch: Patch) -> None:
    """exp_(x) gives the exponentials and leaves x unchanged."""
    patch.wrap(torch, "exp_", lambda original: lambda x: torch.exp(x))


# --- embeddings ---

EMPTY = {"padding_idx": None, "max_norm": None, "scale_grad_by_freq": False}
OPTIONS = ("padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse")


def forgotten(option: str) -> Any:
    """An embedding whose option is ignored."""

    def embedding(original: Any, index: Any, weight: Any, *others: Any, **options: Any) -> Any:
        given = dict(zip(OPTIONS, others, strict=False)) | options
        return original(index, weight, **{**given, option: EMPTY[option]})

    return embedding


instead(
    "padding_rows_are_trained",
    "The row of an embedding table for padding gets a gradient.",
    EMBEDDING,
    forgotten("padding_idx"),
)
instead(
    "rows_are_never_shortened",
    "An embedding ignores max_norm.",
    EMBEDDING,
    forgotten("max_norm"),
)
instead(
    "gradients_of_rows_ignore_how_often_they_occur",
    "An embedding ignores scale_grad_by_freq.",
    EMBEDDING,
    forgotten("scale_grad_by_freq"),
)
