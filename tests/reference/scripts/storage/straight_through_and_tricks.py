"""Straight-through estimators, stop-gradient tricks, gradient reversal by detach."""
import torch

x = torch.tensor([0.2, 1.7, -0.6], requires_grad=True)
y = x + (x.round() - x).detach()
print(y)
(y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.grad)
x.grad = None
x.round().sum().backward()
print(x.grad)
x.grad = None
reversed_ = -x + (2 * x).detach()
reversed_.sum().backward()
print(reversed_, x.grad)
x.grad = None
(x * x.detach()).sum().backward()
print(x.grad)
x.grad = None
p = x.softmax(0)
hard = torch.zeros_like(p).scatter_(0, p.argmax(0, keepdim=True), 1.0)
st = hard - p.detach() + p
print(st, hard)
(st * torch.arange(3.0)).sum().backward()
print(x.grad)
x.grad = None
c = x.clamp(0, 1)
c.sum().backward()
print(c, x.grad)
magic = torch.exp(x - x.detach())
print(magic)
(g,) = torch.autograd.grad(magic.sum(), x, create_graph=True)
print(g, torch.autograd.grad(g.sum(), x)[0])
binary = (x > 0).float()
print(binary.requires_grad, x.sign().requires_grad, (x > 0).requires_grad, x.argmax().requires_grad)
