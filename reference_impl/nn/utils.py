"""Helpers over parameters."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array, beside
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor, wrap

__all__ = [
    "clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm",
    "parameters_to_vector", "vector_to_parameters",
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
    params = listed(parameters)
    grads = [p.grad for p in params if p.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite)
    clip_grads_with_norm_(params, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Tensor:
    """The old name of clip_grad_norm_."""
    warnings.warn("clip_grad_norm is deprecated. Use clip_grad_norm_.", FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def listed(parameters: Any) -> list[Tensor]:
    """One tensor, or several, as a list."""
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


def get_total_norm(
    tensors: Any,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all elements of all tensors together.

    Raises:
        RuntimeError: it is infinite or NaN, and ``error_if_nonfinite``.
    """
    norm_type = float(norm_type)  # which may be "inf"
    flat = [t._data.ravel() for t in listed(tensors)]
    # a norm of order infinity takes no array without elements, in CuPy and in older NumPy
    norms = [as_array(np.linalg.norm(x, norm_type) if x.size else x.sum()) for x in flat]
    if not norms:
        return wrap(np.zeros((), np.float32))
    total = as_array(np.linalg.norm(np.stack([beside(n, norms[0]) for n in norms]), norm_type))
    if error_if_nonfinite and not np.isfinite(total):
        raise errors.wrong_value(
            f"get_total_norm(): the norm of order {norm_type} of all gradients is "
            "non-finite, so they cannot be clipped to it; pass error_if_nonfinite=False "
            "to scale by it all the same",
            RuntimeError,
        )
    return wrap(total)


def clip_grads_with_norm_(
    parameters: Any, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale gradients in place, given their common norm, so that it is at most ``max_norm``."""
    factor = wrap(as_array(np.minimum(max_norm / (total_norm._data + 1e-6), 1.0)))
    for p in listed(parameters):
        if p.grad is not None:
            p.grad.detach().mul_(factor)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Limit every element of the gradients in place."""
    for p in [parameters] if isinstance(parameters, Tensor) else parameters:
        if p.grad is not None:
            p.grad.detach().clamp_(-clip_value, clip_value)


def parameters_to_vector(parameters: Any) -> Tensor:
    """The elements of all parameters, one after the other."""
    return FUNCTIONS["cat"]([p.view(-1) for p in parameters])  # type: ignore[no-any-return]


def vector_to_parameters(vec: Tensor, parameters: Any) -> None:
    """Let parameters have the elements of a vector, one after the other.

    Raises:
        TypeError: no tensor.
    """
    if not isinstance(vec, Tensor):
        raise errors.wrong_type(f"expected torch.Tensor, but got: {type(vec).__name__}")
    start = 0
    for p in parameters:
        end = start + p.numel()
        p.data = vec[start:end].view_as(p).data
        start = end
