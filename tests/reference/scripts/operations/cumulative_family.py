"""cumsum, cumprod, cummax, cummin, logcumsumexp with zeros, dims, dtypes."""

import torch

x = torch.tensor(
    [[1.0, 2.0, 0.0, 4.0], [3.0, 0.0, 0.0, 5.0]], dtype=torch.float64, requires_grad=True
)
w = torch.tensor([1.0, -2.0, 3.0, 4.0], dtype=torch.float64)
y = x.cumprod(dim=1)
print(y)
(y * w).sum().backward()
print(x.grad)
x.grad = None
(x.cumsum(-1) * w).sum().backward()
print(x.grad)
x.grad = None
v, i = torch.cummax(x, dim=1)
print(v, i)
(v * w).sum().backward()
print(x.grad)
x.grad = None
r = torch.cummin(x, 1)
print(type(r).__name__, r.indices)
(r.values * w).sum().backward()
print(x.grad)
x.grad = None
z = x.logcumsumexp(1)
print(z)
(z * w).sum().backward()
print(x.grad)
i = torch.tensor([1, 2, 3], dtype=torch.int8)
print(i.cumsum(0), i.cumsum(0).dtype, i.cumprod(0), torch.cumsum(i, 0, dtype=torch.float32))
print(
    torch.tensor([True, True]).cumsum(0),
    torch.tensor(5.0).cumsum(0),
    torch.empty(0, 3).cumsum(0).shape,
)
print(torch.cumsum(i, axis=0) if False else torch.cumsum(i, dim=-1))
a = torch.tensor([1.0, 2.0, 3.0])
print(a.cumsum_(0), a)
b = torch.tensor([1, 2, 3])
b.cumprod_(0)
print(b)
for bad in [
    lambda: x.cumsum(2),
    lambda: x.cumsum(),
    lambda: x.cummax(),
    lambda: torch.cumsum([1, 2], 0),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
out = torch.empty(3)
torch.cumsum(torch.tensor([1.0, 2.0, 3.0]), 0, out=out)
print(out)
(g,) = torch.autograd.grad(x.cumprod(1)[0, 3], x, create_graph=True)
print(g.detach())
print(torch.autograd.grad(g.sum(), x)[0])
