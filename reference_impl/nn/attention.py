"""Attention, and drawing from categories."""

from __future__ import annotations

import math

import numpy as np

from .. import errors
from ..backend.base import beside, has_values
from ..tensor.tensor import Tensor, wrap
from .activation_functions import dropout, softmax

__all__ = ["scaled_dot_product_attention"]


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(Q K^T / sqrt(d)) V; a mask is True where attention may go, or added to the scores.

    Raises:
        RuntimeError: a mask and ``is_causal``.
    """
    if is_causal and attn_mask is not None:
        raise errors.wrong_value(
            "scaled_dot_product_attention(): Explicit attn_mask should not be set when "
            "is_causal=True; give one of them",
            RuntimeError,
        )
    factor = 1 / math.sqrt(query._data.shape[-1]) if scale is None else scale
    if enable_gqa:
        repeats = query._data.shape[-3] // key._data.shape[-3]
        key = key.repeat_interleave(repeats, -3)
        value = value.repeat_interleave(repeats, -3)
    scores = (query * math.sqrt(factor)) @ (key.transpose(-2, -1) * math.sqrt(factor))
    if is_causal:
        hidden = np.triu(np.ones(scores._data.shape[-2:], bool), 1)
        scores = scores.masked_fill(wrap(beside(hidden, scores._data)), -math.inf)
    if attn_mask is not None:
        if attn_mask._data.dtype.kind == "b":
            scores = scores.masked_fill(wrap(~attn_mask._data), -math.inf)
        else:
            scores = scores + attn_mask
    hidden = scores._data == -math.inf
    unseeing = wrap(hidden.all(-1, keepdims=True) & (scores._data.shape[-1] > 0))
    # a query that may look nowhere gets zeros
    if has_values(unseeing._data) and unseeing._data.any():
        weights = softmax(scores.masked_fill(unseeing, 0.0), -1).masked_fill(unseeing, 0.0)
    else:
        weights = softmax(scores, -1)
    if dropout_p:
        weights = dropout(weights, dropout_p)
    out: Tensor = weights @ value
    return out
