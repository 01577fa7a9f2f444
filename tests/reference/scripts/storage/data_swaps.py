"""Replacing .data: new shapes, new dtypes, shared memory, optimizers that keep pointing."""
import torch
from torch import nn

p = nn.Parameter(torch.tensor([1.0, 2.0]))
q = p.data
p.data = torch.tensor([5.0, 6.0, 7.0])
print(p, q, p.shape, p.is_leaf)
(p * 2).sum().backward()
print(p.grad)
p.data = p.data[:2]
try:
    p.sum().backward()
    print(p.grad)
except RuntimeError as e:
    print(type(e).__name__)
p.grad = None
p.sum().backward()
print(p.grad)
opt = torch.optim.SGD([p], lr=1.0)
p.data = torch.tensor([10.0, 20.0])
opt.step()
print(p)
lin = nn.Linear(2, 2, bias=False)
lin.weight.data = torch.eye(2)
print(lin(torch.tensor([3.0, 4.0])).detach())
lin.weight.data.copy_(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
lin.weight.data[0, 0] = 9
print(lin.weight)
x = torch.ones(2, requires_grad=True)
y = x * 3  # of x * x nothing says which of the two data backward multiplies with
x.data = torch.tensor([100.0, 100.0])
y.sum().backward()
print(x.grad, x)
z = torch.zeros(2)
alias = z.view(2)
z.data = torch.ones(3)
print(alias, z, z._version)
try:
    x.data = torch.tensor([1, 2])
except RuntimeError as e:
    print(type(e).__name__)
