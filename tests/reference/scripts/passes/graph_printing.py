"""How tensors with history print."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
print(x, y, y.sum(), sep="\n")
print(y.grad_fn)
print(y.grad_fn.next_functions)
print(x[0], x.view(2, 1), (y > 2), y.detach(), y.double(), sep="\n")
y.add_(1)
print(y)
y[0] = 3
print(y)
v = y[:1]
v.mul_(2)
print(v, y)
print(x.grad_fn, x.unbind())
print(torch.empty(0, requires_grad=True), torch.zeros(2, 0, requires_grad=True) * 1)
print(torch.nn.Parameter(torch.ones(1)))
print(repr(x.exp()), str(x.mean()), f"{x.sum()}", f"{x.sum().item():.1f}")
