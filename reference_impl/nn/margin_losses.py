"""Losses that compare: with a margin, between pairs, or between three."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import beside, full, has_values, host_or_zeros
from ..ops import FUNCTIONS as F
from ..ops.core import in_wider
from ..ops.fused import fused
from ..tensor.tensor import Tensor, wrap
from .activation_functions import logsigmoid, relu
from .loss_functions import cosine_similarity, loss, pairwise_distance, reduced

__all__ = [
    "cosine_embedding_loss", "gaussian_nll_loss", "hinge_embedding_loss", "margin_ranking_loss",
    "multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss",
    "triplet_margin_loss", "triplet_margin_with_distance_loss",
]  # fmt: skip


@loss
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """How far two scores are from being in the order that the target (1 or -1) tells."""
    return reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


@loss
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """The distance where the target is 1, what is missing to the margin where it is -1."""
    zero = wrap(full((), 0, input._data.dtype, input._data))
    far = F["where"](target.ne(1), (margin - input).clamp_min(0), zero)
    near = F["where"](target.ne(-1), input, zero)
    return reduced(far + near, reduction)


@loss
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """One minus the cosine where the target is 1, the cosine beyond the margin where it is -1.

    Raises:
        RuntimeError: neither one pair of vectors with one target, nor a batch of each.
    """
    of_batches = [x._data.ndim - 1 for x in (input1, input2)]
    if target._data.ndim > 1 or of_batches != [target._data.ndim] * 2:
        raise errors.wrong_shape(
            "cosine_embedding_loss(): expected two vectors and a target without dimensions, or two "
            f"matrices and a vector of targets; got shapes {list(input1.shape)}, {list(input2.shape)} and "
            f"{list(target.shape)}"
        )
    cosine = cosine_similarity(input1, input2, input1._data.ndim - 1)
    zero = wrap(full((), 0, input1._data.dtype, input1._data))
    near = F["where"](target.eq(1), 1 - cosine, zero)
    far = F["where"](target.eq(-1), (cosine - margin).clamp_min(0), zero)
    return reduced(near + far, reduction)


@loss
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """How much farther than the negative, less a margin, the positive is from the anchor."""
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = F["minimum"](far, pairwise_distance(positive, negative, p, eps))
    return reduced((margin + near - far).clamp_min(0), reduction)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """As ``triplet_margin_loss``, with any distance."""
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = F["minimum"](far, distance(positive, negative))
    return reduced((margin + near - far).clamp_min(0), reduction)


def _multi_margin(
    x: Tensor, target: Tensor, weight: Tensor | None, p: int, margin: float, reduction: str
) -> Tensor:
    rows = x if x._data.ndim == 2 else x.unsqueeze(0)
    at = target._data.reshape(-1, 1)
    own = rows.gather(1, wrap(at))
    parts = relu(margin - own + rows) ** p
    if weight is not None:
        parts = parts * weight[target.reshape(-1)].unsqueeze(1)
    others = np.ones(rows._data.shape, bool)
    np.put_along_axis(others, host_or_zeros(at), False, 1)
    losses = (parts * wrap(beside(others, rows._data))).sum(1) / rows._data.shape[1]
    return reduced(losses if x._data.ndim == 2 else losses.squeeze(0), reduction)


multi_margin_row = fused("multi_margin_loss", _multi_margin)


@loss
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much other classes come closer than a margin to the target's score.

    Raises:
        ValueError: ``p`` is neither 1 nor 2.
        RuntimeError: another number of targets than of samples, or of weights than of classes.
    """
    if p not in (1, 2):
        raise errors.wrong_value(f"multi_margin_loss(): only p == 1 and p == 2 supported; got {p}")
    shape = input._data.shape
    if target._data.size != (shape[0] if len(shape) > 1 else 1):
        raise errors.wrong_shape(
            f"multi_margin_loss(): expected one target for each sample; got shape {list(target.shape)} "
            f"for an input of shape {list(input.shape)}"
        )
    if weight is not None and weight._data.shape != shape[-1:]:
        raise errors.wrong_shape(
            f"multi_margin_loss(): expected one weight for each of the {shape[-1]} classes; got shape "
            f"{list(weight.shape)}"
        )
    return multi_margin_row(input, target, weight, p, margin, reduction)  # type: ignore[no-any-return]


def _multilabel_margin(x: Tensor, target: Tensor, reduction: str) -> Tensor:
    rows = x if x._data.ndim == 2 else x.unsqueeze(0)
    labels = host_or_zeros(target._data).reshape(rows._data.shape)
    totals = []
    for k, row in enumerate(labels):
        end = np.flatnonzero(row < 0)
        mine = row[: end[0] if end.size else row.size]
        others = np.setdiff1d(np.arange(row.size), mine)
        scores = rows[k]
        own, rest = (wrap(beside(index, rows._data)) for index in (mine, others))
        gaps = 1 - scores[own].unsqueeze(1) + scores[rest].unsqueeze(0)
        totals.append(relu(gaps).sum() / row.size)
    losses = F["stack"](totals) if totals else rows.sum(-1)
    return reduced(losses if x._data.ndim == 2 else losses.squeeze(0), reduction)


multilabel_margin_row = fused("multilabel_margin_loss", _multilabel_margin)


@loss
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """By how much scores of absent classes come closer than 1 to those of the classes listed (up to
    the first -1).

    Raises:
        RuntimeError: a target of another shape.
    """
    if input._data.shape != target._data.shape:
        raise errors.wrong_shape(
            "multilabel_margin_loss(): expected a target of the input's shape "
            f"{list(input.shape)}; got {list(target.shape)}"
        )
    return multilabel_margin_row(input, target, reduction)  # type: ignore[no-any-return]


@loss
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Minus the log-likelihood of several labels, averaged over the classes."""
    losses = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if not input._data.ndim:
        raise errors.no_dimensions(-1)
    if weight is not None:
        losses = losses * weight
    return reduced(losses.sum(input._data.ndim - 1) / input._data.shape[-1], reduction)


def one_stretched(shape: Any, wanted: Any) -> bool:
    """Whether a shape differs from another in one dimension, where it is one."""
    if len(shape) != len(wanted):
        return False
    return [n for n, m in zip(shape, wanted, strict=True) if n != m] == [1]


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log-likelihood of a normal distribution, its variance at least ``eps``.

    Raises:
        ValueError: a variance that is negative, or whose shape does not fit.
    """
    spread = (
        var if isinstance(var, Tensor) else wrap(np.full(input._data.shape, var, input._data.dtype))
    )
    if spread._data.shape != input._data.shape:
        if input._data.shape[:-1] == spread._data.shape:
            spread = spread.unsqueeze(-1)
        elif not one_stretched(spread._data.shape, input._data.shape):
            raise errors.wrong_value("var is of incorrect size")
    if has_values(spread._data) and (spread._data < 0).any():
        raise errors.wrong_value("var has negative entry/entries")
    return likelihoods(input, target, spread, full, eps, reduction)


@in_wider
def likelihoods(
    input: Tensor, target: Tensor, var: Tensor, full: bool, eps: float, reduction: str
) -> Tensor:
    """Minus the log-likelihoods, reduced."""
    kept = var.clone()
    held = kept._data
    limited = F["where"](wrap(held < eps), wrap(np.full((), eps, held.dtype)), kept.detach())
    limited = kept + (limited - kept.detach())  # the limit does not stop the gradient
    losses = 0.5 * (limited.log() + (input - target) ** 2 / limited)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduced(losses, reduction)
