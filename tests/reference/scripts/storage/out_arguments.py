"""out=: shapes, dtypes, resizing, gradients."""

import torch

a, b = torch.arange(3.0), torch.ones(3)
o = torch.empty(3)
r = torch.add(a, b, out=o)
print(r is o, o)
print(
    torch.mul(a, 2, out=o),
    torch.exp(a, out=o),
    torch.sub(a, b, alpha=2, out=o),
    torch.pow(a, 2, out=o),
    torch.div(a, 2, out=o, rounding_mode="floor"),
)
e = torch.empty(0)
torch.add(a, b, out=e)
print(e, e.shape)
d = torch.empty(3, dtype=torch.float64)
print(torch.add(a, b, out=d))
for f in (
    lambda: torch.add(a, b, out=torch.empty(3, dtype=torch.long)),
    lambda: torch.add(a.requires_grad_(), b, out=o),
    lambda: torch.add(torch.ones(3), b, out=torch.empty(3, requires_grad=True)),
    lambda: torch.add(b, b, out=torch.empty(1).expand(3)),
    lambda: torch.matmul(
        torch.ones(2, 2), torch.ones(2, 2), out=torch.empty(2, 2, dtype=torch.float64)
    ),
):
    try:
        print(f())
    except Exception as ex:
        print(type(ex).__name__)
a = a.detach()
v, i = torch.empty(0), torch.empty(0, dtype=torch.long)
print(torch.max(torch.tensor([[1.0, 3], [2, 0]]), dim=1, out=(v, i)), v, i)
print(torch.sort(torch.tensor([3.0, 1, 2]), out=(v, i)), v)
print(torch.topk(torch.tensor([3.0, 1, 2]), 2, out=(v, i)))
m = torch.zeros(2, 3)
print(torch.sum(torch.ones(4, 3), dim=0, out=m[0]), m)
print(torch.cat([a, b], out=torch.empty(6)), torch.stack((a, b), dim=1, out=torch.empty(3, 2)))
print(
    torch.eq(a, b, out=torch.empty(3, dtype=torch.bool)),
    torch.where(a > 1, a, b, out=o),
    torch.clamp(a, 0, 1, out=o),
    torch.cumsum(a, 0, out=o),
)
print(
    torch.mm(torch.ones(2, 2), torch.eye(2), out=torch.empty(2, 2)),
    torch.dot(a, b, out=torch.empty(())),
    torch.mean(a, dim=0, out=torch.empty(())),
)
print(
    torch.arange(3, out=torch.empty(3)),
    torch.zeros(2, out=torch.ones(2)),
    torch.full((2,), 3.0, out=torch.empty(2)),
    torch.linspace(0, 1, 3, out=torch.empty(3)),
    torch.eye(2, out=torch.empty(2, 2)),
)
print(
    torch.gather(a, 0, torch.tensor([0, 0]), out=torch.empty(2)),
    torch.index_select(a, 0, torch.tensor([2]), out=torch.empty(1)),
    torch.masked_select(a, a > 0, out=torch.empty(2)),
    torch.nonzero(a, out=torch.empty(0, dtype=torch.long)),
    torch.take(a, torch.tensor([1]), out=torch.empty(1)),
)
t = torch.zeros(3, 2).t()
torch.neg(torch.ones(2, 3), out=t)
print(t, t.stride())
