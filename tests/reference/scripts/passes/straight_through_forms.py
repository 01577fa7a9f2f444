"""Straight-through estimators and gradient reversal."""
import torch
from torch import nn
from torch.autograd import Function


class Round(Function):
    @staticmethod
    def forward(ctx, x, levels):
        return torch.round(x * levels) / levels

    @staticmethod
    def backward(ctx, g):
        return g, None


class Reverse(Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g.neg() * ctx.lam, None


class Sign(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        gi = g.clone()
        gi[x.abs() > 1] = 0
        return gi


x = torch.tensor([0.23, -1.7, 0.5, 2.5], requires_grad=True)
q = Round.apply(x, 4)
print(q)
q.pow(2).sum().backward()
print(x.grad)
x.grad = None
ste = x + (x.round() - x).detach()
ste.pow(2).sum().backward()
print(ste, x.grad)
x.grad = None
Reverse.apply(x, 0.5).mul(torch.arange(4.0)).sum().backward()
print(x.grad)
x.grad = None
Sign.apply(x).sum().backward()
print(x.grad)
hard = torch.zeros(4).scatter_(0, x.argmax(), 1.0)
soft = x.softmax(0)
y = hard - soft.detach() + soft
print(y, y.grad_fn)
feat, head, dom = nn.Linear(4, 2), nn.Linear(2, 1), nn.Linear(2, 1)
for m in (feat, head, dom):
    nn.init.constant_(m.weight, 0.1)
    nn.init.zeros_(m.bias)
h = feat(x.detach())
(head(h).sum() + dom(Reverse.apply(h, 2.0)).sum()).backward()
print(feat.weight.grad, head.weight.grad, dom.weight.grad)
