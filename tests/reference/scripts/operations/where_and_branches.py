"""Data-dependent branches, where against if, piecewise functions, loops until done."""

import torch


def piecewise(t):
    return torch.where(t < 0, -t, torch.where(t < 1, t**2, 2 * t - 1))


x = torch.tensor([-2.0, 0.0, 0.5, 1.0, 3.0], requires_grad=True)
y = piecewise(x)
y.sum().backward()
print(y, x.grad)


def branch(t):
    if t > 0:
        return t.log()
    elif t == 0:
        return t * 0
    return -((-t).sqrt())


for v in (2.0, 0.0, -4.0):
    t = torch.tensor(v, requires_grad=True)
    branch(t).backward()
    print(v, branch(t), t.grad)


def collatz_like(t):
    n = 0
    while t.abs() < 100:
        t = t * 1.5 + 1
        n += 1
    return t, n


t = torch.tensor(2.0, requires_grad=True)
out, n = collatz_like(t)
out.backward()
print(out, n, t.grad)
x.grad = None
safe = torch.where(x > 0, x, torch.ones_like(x))
torch.where(x > 0, safe.log(), torch.zeros_like(x)).sum().backward()
print(x.grad)
x.grad = None
torch.where(x > 0, x.log(), torch.zeros_like(x)).sum().backward()
print(x.grad)
print(
    torch.where(x > 0, 1, 0),
    torch.where(x > 0, 1.0, x.double()).dtype,
    torch.where(x > 0, x, float("inf")),
    torch.heaviside(x.detach(), torch.tensor([0.5])),
    torch.sgn(x),
)
m = torch.stack([x, -x]).max(dim=0)
print(m, torch.max(x, -x), torch.maximum(x, torch.tensor(0.5)), torch.max(x, torch.tensor(0.0)))
idx = x.argmax()
print(
    x[idx], x[idx].grad_fn, torch.nonzero(x > 0).squeeze(1), x[torch.nonzero(x > 0, as_tuple=True)]
)
