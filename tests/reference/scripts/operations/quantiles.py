"""quantile, nanquantile, kthvalue, mode, median: interpolations, ties, shapes."""

import torch

x = torch.tensor(
    [[3.0, 1.0, 2.0, 4.0], [5.0, 5.0, 0.0, 1.0]], dtype=torch.float64, requires_grad=True
)
for how in ["linear", "lower", "higher", "nearest", "midpoint"]:
    print(
        how,
        torch.quantile(x, 0.4, dim=1, interpolation=how),
        x.quantile(torch.tensor([0.1, 0.5], dtype=torch.float64), interpolation=how),
    )
q = x.quantile(torch.tensor([0.25, 0.75], dtype=torch.float64), dim=1, keepdim=True)
print(q, q.shape)
q.sum().backward()
print(x.grad)
x.grad = None
k = x.kthvalue(2, dim=1)
print(k)
k.values.sum().backward()
print(x.grad)
x.grad = None
m = torch.mode(x, 1)
print(m)
m[0].sum().backward()
print(x.grad)
x.grad = None
md = x.median(dim=1, keepdim=True)
print(md)
md.values.sum().backward()
print(x.grad)
print(
    torch.kthvalue(x, k=3, dim=0) if False else torch.kthvalue(x.detach(), k=1, dim=0, keepdim=True)
)
print(torch.median(torch.tensor([4, 1, 3, 2])), torch.median(torch.tensor([1, 2, 2])).dtype)
for bad in [
    lambda: torch.quantile(x, 1.5),
    lambda: torch.quantile(torch.tensor([1, 2]), 0.5),
    lambda: x.kthvalue(9),
    lambda: torch.quantile(x, torch.tensor(0.5)),
    lambda: torch.empty(0).quantile(0.5),
    lambda: torch.quantile(x, 0.5, interpolation="cubic"),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print(torch.empty(0).median(), torch.quantile(torch.tensor(3.0), 0.7))
