"""masked_fill, masked_select, masked_scatter, where: values and gradients."""
import torch

x = torch.tensor([[1.0, -2.0], [-3.0, 4.0]], requires_grad=True)
m = x > 0
print(m, m.requires_grad)
y = x.masked_fill(m, 0.0)
print(y, y.grad_fn.name())
s = x.masked_select(m)
print(s, s.grad_fn.name())
s.prod().backward()
print(x.grad)
x.grad = None
v = torch.tensor(9.0, requires_grad=True)
x.masked_fill(~m, v).sum().backward()
print(x.grad, v.grad)
src = torch.arange(4.0, requires_grad=True)
z = x.detach().masked_scatter(m, src)
print(z)
z.sum().backward()
print(src.grad)
x.grad = None
w = torch.where(m, x * 2, x**2)
print(w)
w.sum().backward()
print(x.grad)
print(torch.where(m, 1, 0), torch.where(m, 1.0, x.detach()))
print(torch.where(m))
a = torch.zeros(3, 4)
a.masked_fill_(torch.tensor([[True], [False], [True]]), 2)
print(a)
scores = torch.arange(9.0).view(3, 3)
causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), diagonal=1)
att = scores.masked_fill(causal, float("-inf")).softmax(-1)
print(att)
try:
    a.masked_fill_(torch.ones(3, 4), 0)
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.zeros(2).masked_fill(torch.tensor([True, False]), torch.zeros(2))
except RuntimeError as e:
    print(type(e).__name__)
