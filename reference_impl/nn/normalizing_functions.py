"""Bringing groups of values to mean 0 and variance 1."""

from __future__ import annotations

from typing import Any

from ..ops.registry import function
from ..tensor import Tensor


@function("batch_norm")
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel brought to mean 0 and variance 1: of the batch in training, else of the running
    estimates."""
    n = input._data.ndim
    dims = (0, *range(2, n))
    view = (1, -1) + (1,) * (n - 2)
    if training:
        count = input._data.size // input._data.shape[1]
        if count <= 1:
            raise ValueError(
                "Expected more than 1 value per channel when training, got input size "
                f"{list(input.shape)}"
            )
        mean = input.mean(dims, keepdim=True)
        var = input.var(dims, correction=0, keepdim=True)
        if running_mean is not None and running_var is not None:
            fresh_mean = mean._data.reshape(-1)
            fresh_var = var._data.reshape(-1) * (count / (count - 1))
            running_mean._data[...] = (1 - momentum) * running_mean._data + momentum * fresh_mean
            running_var._data[...] = (1 - momentum) * running_var._data + momentum * fresh_var
            running_mean._vc[0] += 1
            running_var._vc[0] += 1
    else:
        if running_mean is None or running_var is None:
            raise RuntimeError(
                "Expected running_mean and running_var to be defined when training=False"
            )
        mean, var = running_mean.reshape(view), running_var.reshape(view)
    out = (input - mean) * (var + eps).rsqrt()
    if weight is not None:
        out = out * weight.reshape(view)
    return out if bias is None else out + bias.reshape(view)


@function("layer_norm")
def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """The last dimensions brought to mean 0 and variance 1."""
    dims = tuple(range(-len(normalized_shape), 0))
    mean = input.mean(dims, keepdim=True)
    out = (input - mean) * (input.var(dims, correction=0, keepdim=True) + eps).rsqrt()
    if weight is not None:
        out = out * weight
    return out if bias is None else out + bias


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divided by the norm along a dimension."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


@function("group_norm")
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Groups of channels brought to mean 0 and variance 1."""
    n, c = input._data.shape[:2]
    x = input.reshape(n, num_groups, -1)
    x = (x - x.mean(-1, keepdim=True)) * (x.var(-1, correction=0, keepdim=True) + eps).rsqrt()
    out = x.reshape(input._data.shape)
    view = [1, c] + [1] * (input._data.ndim - 2)
    if weight is not None:
        out = out * weight.reshape(view)
    return out if bias is None else out + bias.reshape(view)
