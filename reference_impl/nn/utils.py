"""Helpers over parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..backend.base import as_array, astype, beside
from ..ops import FUNCTIONS
from ..tensor import Tensor, wrap

__all__ = [
    "clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "vector_to_parameters",
]  # fmt: skip


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale gradients in place so that their common norm is at most ``max_norm``; returns that
    norm.

    Raises:
        RuntimeError: the norm is infinite or NaN, and ``error_if_nonfinite``.
    """
    params: Iterable[Tensor] = [parameters] if isinstance(parameters, Tensor) else parameters
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return wrap(np.zeros((), np.float32))
    norms = [as_array(np.linalg.norm(g._data.ravel(), norm_type)) for g in grads]
    total = as_array(np.linalg.norm(np.stack([beside(n, norms[0]) for n in norms]), norm_type))
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError(
            f"[clip_grad_norm_] the norm of order {norm_type} of all gradients is "
            "non-finite, so they cannot be clipped to it; pass error_if_nonfinite=False "
            "to scale by it all the same"
        )
    factor = wrap(as_array(np.minimum(max_norm / (total + 1e-6), 1.0)))
    for g in grads:
        g.detach().mul_(factor)
    return wrap(astype(total, np.dtype("float32")))


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Limit every element of the gradients in place."""
    for p in [parameters] if isinstance(parameters, Tensor) else parameters:
        if p.grad is not None:
            p.grad.detach().clamp_(-clip_value, clip_value)


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters, flattened and joined; recorded."""
    return FUNCTIONS["cat"]([p.reshape(-1) for p in parameters])  # type: ignore[no-any-return]


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give parameters, one after the other, the elements of a vector as their data.

    Raises:
        TypeError: the vector is not a tensor.
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    at = 0
    for p in parameters:
        p.data = vec[at : at + p.numel()].view_as(p).data
        at += p.numel()
