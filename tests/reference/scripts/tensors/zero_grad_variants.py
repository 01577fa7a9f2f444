"""zero_grad of modules and optimizers, with both settings, and grads with graphs."""
import torch
from torch import nn

m = nn.Linear(2, 1)
nn.init.ones_(m.weight)
nn.init.zeros_(m.bias)
print(m.weight.grad, m.zero_grad())
m(torch.ones(1, 2)).sum().backward()
g = m.weight.grad
m.zero_grad(set_to_none=False)
print(g, m.weight.grad is g)
m(torch.ones(1, 2)).sum().backward()
print(g, m.weight.grad is g)
m.zero_grad()
print(m.weight.grad, g)
m(torch.ones(3, 2)).sum().backward()
m(torch.ones(3, 2)).sum().backward()
print(m.weight.grad, m.bias.grad)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
opt.zero_grad(False)
print(m.weight.grad)
opt.step()
print(m.weight)
for p in m.parameters():
    p.grad = None
opt.step()
print(m.weight)
out = (m(torch.ones(1, 2)) ** 3).sum()
out.backward(create_graph=True)
print(m.weight.grad, m.weight.grad.requires_grad)
penalty = (m.weight.grad ** 2).sum()
m.zero_grad()
penalty.backward()
print(m.weight.grad)
m.zero_grad(set_to_none=False)
print(m.weight.grad.grad_fn, m.weight.grad)
m.weight.requires_grad_(False)
m(torch.ones(1, 2)).sum().backward()
print(m.weight.grad, m.bias.grad)
m.weight.requires_grad_(True)
print(m.weight.grad, m.weight.is_leaf)
x = torch.ones(2, requires_grad=True)
(x * 2).sum().backward()
x.requires_grad_(False)
print(x.grad, x)
x.grad.zero_()
x.requires_grad = True
(x * 3).sum().backward()
print(x.grad)
x.grad.fill_(7)
x.grad[0] = 0
x.grad += 1
print(x.grad)
