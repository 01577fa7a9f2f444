"""None as a gradient: from custom functions, through views, for shared parts."""

import torch


class First(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b

    @staticmethod
    def backward(ctx, g):
        return g, None


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
First.apply(a, b).sum().backward()
print(a.grad, b.grad)
First.apply(a, b * 2).sum().backward()
print(b.grad)
r = torch.autograd.grad(First.apply(a, b).sum(), [a, b], allow_unused=True)
print(r)
try:
    torch.autograd.grad(First.apply(a, b).sum(), [a, b])
except RuntimeError as e:
    print(type(e).__name__)
calls = []
m = b.clone()
m.register_hook(lambda g: calls.append(g))
First.apply(a, m).sum().backward()
print(calls)
(First.apply(a, m) + m).sum().backward()
print(calls, b.grad)
