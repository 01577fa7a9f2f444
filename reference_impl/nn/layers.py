"""Layers: linear maps, tables of vectors, dropout, and changes of shape."""

from __future__ import annotations

import math
from typing import Any

from .. import errors
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor
from . import functional as F
from .init import kaiming_uniform_, normal_, uniform_
from .module import Module, Parameter
from .of_function import module_of

__all__ = [
    "Bilinear", "Dropout", "Embedding",
    "Flatten", "Linear", "Unflatten", "drawn_bias", "drawn_weight",
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

    def reset_parameters(self) -> None:
        """Draw the parameters anew."""
        kaiming_uniform_(self.weight, math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, bias={self.bias is not None}"


class Bilinear(Module):
    """x1^T W x2 + b."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True
    ) -> None:
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        self.weight = drawn_bias((out_features, in1_features, in2_features), in1_features)
        self.register_parameter("bias", drawn_bias((out_features,), in1_features) if bias else None)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        out, first, second = self.weight.shape
        sizes = f"in1_features={first}, in2_features={second}, out_features={out}"
        return f"{sizes}, bias={self.bias is not None}"


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

    def extra_repr(self) -> str:
        rows, width = self.weight.shape
        usual = {
            "padding_idx": None, "max_norm": None, "norm_type": 2, "scale_grad_by_freq": False,
            "sparse": False,
        }  # fmt: skip
        told = [f"{k}={getattr(self, k)}" for k, v in usual.items() if getattr(self, k) != v]
        return ", ".join([f"{rows}, {width}", *told])


class _Dropout(Module):
    """Zeros at random in training, nothing in evaluation.

    Raises:
        ValueError: p is not a probability.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise errors.wrong_value(
                f"[{type(self).__name__}] the probability p must lie in [0, 1]; got {p}"
            )
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Single elements are dropped."""

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)


Flatten = module_of(
    "Flatten",
    "All dimensions but the first made one.",
    lambda input, start_dim, end_dim: input.flatten(start_dim, end_dim),
    ("start_dim", 1),
    ("end_dim", -1),
)
Unflatten = module_of(
    "Unflatten",
    "One dimension made several.",
    lambda input, dim, unflattened_size: input.unflatten(dim, unflattened_size),
    "dim",
    "unflattened_size",
)
