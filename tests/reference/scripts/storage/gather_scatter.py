"""gather and scatter_, their reductions and gradients."""

import torch

x = torch.arange(6.0).view(2, 3).requires_grad_()
i = torch.tensor([[0, 2], [1, 1]])
print(x.gather(1, i), torch.gather(x, 1, i).grad_fn, torch.gather(x, dim=-1, index=i))
(x.gather(1, i) * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
print(x.grad)
print(torch.zeros(2, 3).scatter_(1, i, x.detach()[:, :2]))
print(torch.zeros(2, 3).scatter(1, i, 5.0), torch.zeros(2, 3).scatter(1, i, value=5))
print(torch.zeros(2, 3).scatter_(1, i, x.detach(), reduce="add"))
print(torch.full((2, 3), 2.0).scatter_(1, i, 3.0, reduce="multiply"))
print(
    torch.zeros(2, 3).scatter_add(1, i, torch.ones(2, 2)),
    torch.ones(2, 3).scatter_add_(1, i, torch.ones(2, 3)),
)
src = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
for r in ("sum", "prod", "mean", "amax", "amin"):
    for inc in (True, False):
        s = torch.full((2, 3), 2.5, requires_grad=True)
        src.grad = None
        o = s.scatter_reduce(1, i, src, reduce=r, include_self=inc)
        o.sum().backward()
        print(r, inc, o.detach(), s.grad, src.grad, o.grad_fn)
z = torch.zeros(2, 3, requires_grad=True)
o = z.scatter(1, i, src)
print(o, o.grad_fn)
(o * torch.arange(6.0).view(2, 3)).sum().backward()
print(z.grad)
for bad in (
    lambda: x.gather(1, i.float()),
    lambda: x.gather(2, i),
    lambda: x.gather(1, i + 5),
    lambda: x.gather(1, i[0]),
    lambda: torch.zeros(2, 3).scatter_(1, i, torch.ones(1, 1)),
    lambda: torch.zeros(2, 3).scatter_(1, i, torch.ones(2, 2).double()),
    lambda: torch.zeros(2, 3).scatter_(1, i, 1.0, reduce="sum"),
):
    try:
        bad()
        print("no error")
    except Exception as e:
        print(type(e).__name__)
