"""Names of classes in annotations and isinstance checks."""

from typing import Any, Tuple

import torch
from torch import Tensor, nn
from torch.autograd import Function, Variable
from torch.autograd.function import FunctionCtx, once_differentiable
from torch.nn.parameter import Parameter
from torch.utils.hooks import RemovableHandle


class Scale(Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, k: float) -> Tensor:
        ctx.k = k
        return x * k

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Tuple[Tensor, None]:
        return g * ctx.k, None


p = Parameter(torch.ones(2))
y = Scale.apply(p, 3.0)
h = y.register_hook(lambda g: g)
print(
    isinstance(h, RemovableHandle),
    isinstance(p, Tensor),
    isinstance(p, nn.Parameter),
    isinstance(y, Parameter),
)
y.sum().backward()
print(p.grad, type(p.grad).__name__, type(p).__name__, type(y).__name__)
print(
    isinstance(y, torch.Tensor),
    isinstance(y, Variable),
    torch.is_tensor(p),
    type(y.grad_fn).__name__,
)
print(type(p), type(y), type(p.data), type(p.detach()), type(p * 1), type(p.clone()))
v = Variable(torch.ones(2), requires_grad=True)
(v * 2).sum().backward()
print(v.grad, type(v).__name__)
