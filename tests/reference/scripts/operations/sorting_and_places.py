"""sort, argsort, msort, topk: stability, descending, gradients, named results."""

import torch

x = torch.tensor([[3.0, 1.0, 2.0], [0.5, 0.5, -1.0]], requires_grad=True)
s = torch.sort(x)
print(s)
print(s.values.grad_fn, s.indices.dtype, s._fields if hasattr(s, "_fields") else "")
(s.values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(x.grad)
print(x.sort(0, True), x.sort(dim=1, descending=True, stable=True).indices)
print(torch.argsort(x, dim=1, descending=True), x.argsort(), torch.msort(x))
t = x.topk(2, dim=1)
print(t)
x.grad = None
t.values.prod().backward()
print(x.grad)
print(x.topk(1, 0, largest=False), torch.topk(x, k=2, dim=-1, largest=True, sorted=True).values)
v, i = torch.tensor([5, 3, 9], dtype=torch.int16).sort(descending=True)
print(v, i)
print(torch.tensor([True, False, True]).sort(), torch.tensor(3.0).sort(), torch.empty(0).sort())
print(torch.sort(torch.tensor([1, 0, 1, 0]), stable=True))
for bad in [
    lambda: x.topk(4),
    lambda: x.sort(2),
    lambda: torch.tensor([1j]).sort(),
    lambda: x.topk(-1),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
out = (torch.empty(2, 3), torch.empty(2, 3, dtype=torch.long))
r = torch.sort(x.detach(), out=out)
print(r[0] is out[0], out[1])
print(
    torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([0, 3, 6])),
    torch.searchsorted(torch.tensor([1, 3, 5]), 3, right=True),
    torch.bucketize(torch.tensor([2.0, 5.0]), torch.tensor([1.0, 3.0, 5.0])),
)
print(torch.unique(torch.tensor([3, 1, 3, 2]), return_inverse=True, return_counts=True))
