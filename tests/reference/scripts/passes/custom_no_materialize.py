"""ctx.set_materialize_grads(False): backward sees None for unused outputs."""

import torch


class Split(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b):
        print("a", a, "b", b)
        if a is None and b is None:
            return None
        out = 0
        if a is not None:
            out = out + 2 * a
        if b is not None:
            out = out + 3 * b
        return out


x = torch.tensor([1.0, 2.0], requires_grad=True)
a, b = Split.apply(x)
a.sum().backward(retain_graph=True)
print(x.grad)
(b * 2).sum().backward(retain_graph=True)
print(x.grad)
(a + b).sum().backward()
print(x.grad)


class Stops(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return None


y = torch.tensor(1.0, requires_grad=True)
Stops.apply(y).backward()
print(y.grad)
