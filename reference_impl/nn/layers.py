"""Layers: linear maps, tables of vectors, dropout, activations, a loss."""

from __future__ import annotations

import math
from typing import Any

from .. import errors
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor
from . import functional as F
from .init import kaiming_uniform_, normal_, uniform_
from .module import Module, Parameter

__all__ = [
    "Dropout", "Embedding", "Identity", "Linear", "MSELoss", "ReLU", "Sigmoid", "Tanh",
    "drawn_bias", "drawn_weight",
]  # fmt: skip

empty: Any = FUNCTIONS["empty"]


def drawn_weight(shape: Any, dtype: Any = None, device: Any = None) -> Parameter:
    """A weight drawn from the usual range for its number of inputs, which comes second."""
    weight = Parameter(empty(shape, dtype=dtype, device=device))
    kaiming_uniform_(weight, math.sqrt(5))
    return weight


def drawn_bias(shape: Any, fan_in: int, dtype: Any = None, device: Any = None) -> Parameter:
    """A parameter drawn from the usual range for that many inputs."""
    bound = 1 / math.sqrt(fan_in) if fan_in else 0.0
    bias = Parameter(empty(shape, dtype=dtype, device=device))
    uniform_(bias, -bound, bound)
    return bias


class Linear(Module):
    """x W^T + b, W of shape (out_features, in_features)."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = drawn_weight((out_features, in_features), dtype, device)
        drawn = drawn_bias((out_features,), in_features, dtype, device) if bias else None
        self.register_parameter("bias", drawn)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)


class Embedding(Module):
    """Rows of a table, looked up by number."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise errors.wrong_index("Padding_idx must be within num_embeddings", AssertionError)
        if padding_idx is not None and padding_idx < 0:
            padding_idx += num_embeddings
        self.padding_idx = padding_idx
        if _weight is None:
            _weight = normal_(empty(num_embeddings, embedding_dim, dtype=dtype, device=device))
            if padding_idx is not None:
                _weight[padding_idx] = 0
        self.weight = Parameter(_weight, requires_grad=not _freeze)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """A table that is given, of shape (number, width), and frozen unless told otherwise."""
        rows, width = embeddings.shape
        options = padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse
        return cls(rows, width, *options, _weight=embeddings, _freeze=freeze)

    def forward(self, input: Tensor) -> Tensor:
        options = self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        return F.embedding(input, self.weight, self.padding_idx, *options)


class Dropout(Module):
    """Zeros at random in training, nothing in evaluation.

    Raises:
        ValueError: p is not a probability.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise errors.wrong_value(f"[Dropout] the probability p must lie in [0, 1]; got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)


class Identity(Module):
    """The input; arguments of the constructor are ignored, as PyTorch does."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class ReLU(Module):
    """max(x, 0)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input: Tensor) -> Tensor:
        return F.sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        return F.tanh(input)


class MSELoss(Module):
    """The mean of squared differences, or with ``reduction`` their sum, or each of them."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)
