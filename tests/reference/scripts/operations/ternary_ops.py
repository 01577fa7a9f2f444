"""lerp, addcmul, addcdiv, where, clamp with tensors, masked_fill."""

import torch


def leaf(*v):
    return torch.tensor(v, dtype=torch.float64, requires_grad=True)


a, b, c = leaf(1.0, 2.0), leaf(3.0, -1.0), leaf(0.5, 4.0)
for f in [
    lambda: torch.lerp(a, b, 0.25),
    lambda: torch.lerp(a, b, c),
    lambda: a.lerp(b, torch.tensor(0.75, dtype=torch.float64)),
    lambda: torch.addcmul(a, b, c),
    lambda: a.addcmul(b, c, value=-2),
    lambda: torch.addcdiv(a, b, c, value=0.5),
    lambda: torch.where(c > 1, a, b),
    lambda: torch.where(c > 1, a, 0),
    lambda: torch.where(c > 1, 2.0, b),
    lambda: a.where(c > 1, b),
    lambda: torch.clamp(a, b, c),
    lambda: torch.clamp(a, min=c),
    lambda: a.clamp_max(c),
    lambda: a.clamp_min(0.5),
    lambda: a.masked_fill(torch.tensor([True, False]), 7.0),
    lambda: a.masked_fill(torch.tensor(True), leaf(5.0).sum()),
]:
    for t in (a, b, c):
        t.grad = None
    y = f()
    y.sum().backward()
    print(y.detach(), y.grad_fn.name(), [t.grad for t in (a, b, c)])
print(
    torch.where(torch.tensor([True, False]), 1, 2),
    torch.where(torch.tensor([True, False]), 1.0, 2),
    torch.where(torch.tensor([[True], [False]]), torch.tensor([1, 2]), torch.tensor(0.5)),
)
print(
    torch.where(torch.tensor([0, 3, 0, 4])),
    torch.where(torch.tensor([[True, False], [True, True]])),
    torch.nonzero(torch.tensor([0, 3])),
    torch.nonzero(torch.tensor([[1, 0], [0, 2]]), as_tuple=True),
    torch.argwhere(torch.tensor([[0, 1]])),
)
x = torch.tensor([1.0, 2.0])
print(
    x.lerp_(torch.tensor([3.0, 4.0]), 0.5),
    x.addcmul_(x, x, value=0.1),
    x.addcdiv_(x, x),
    x.clamp_(0, 2),
    x.masked_fill_(x > 1, -1),
    x.clip_(max=-2),
)
for bad in [
    lambda: torch.addcdiv(torch.tensor([1]), torch.tensor([1]), torch.tensor([2])),
    lambda: torch.lerp(x, x.double(), 0.5),
    lambda: torch.where(torch.tensor([1.0, 0.0]), x, x),
    lambda: torch.clamp(x),
    lambda: x.masked_fill(torch.tensor([1, 0]), 1.0),
    lambda: torch.lerp(x, 1.0, 0.5),
    lambda: x.masked_fill(x > 0, torch.ones(2)),
    lambda: torch.where(x > 0, x),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
