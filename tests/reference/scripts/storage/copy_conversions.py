"""copy_: dtypes, broadcasting, overlap, gradients."""

import torch

x = torch.zeros(2, 3)
print(x.copy_(torch.arange(3)), x._version)
print(x.copy_(torch.tensor([[1.5], [2.5]], dtype=torch.float64)))
print(
    torch.zeros(3, dtype=torch.long).copy_(torch.tensor([1.9, -1.9, 0.5])),
    torch.zeros(3, dtype=torch.bool).copy_(torch.tensor([0.0, 0.5, -1])),
    torch.zeros(2, dtype=torch.complex64).copy_(torch.tensor([1.0, 2])),
)
print(
    torch.zeros(2, dtype=torch.bfloat16).copy_(torch.tensor([1.00390625, 3.1415926])),
    torch.zeros(2, dtype=torch.uint8).copy_(torch.tensor([300, -1])),
)
src = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
d = torch.zeros(2, 3)
r = d.copy_(src)
print(r is d, d, d.grad_fn, d.requires_grad)
(d * torch.tensor([[1.0, 2, 3], [4, 5, 6]])).sum().backward()
print(src.grad, src.grad.dtype)
y = torch.ones(3, requires_grad=True)
z = y * 2
z.copy_(src)
z.sum().backward()
print(y.grad, src.grad)
z = y * 2
z[1:].copy_(y[:2])
print(z, z.grad_fn)
y.grad = None
z.sum().backward()
print(y.grad)
t = torch.arange(4.0).view(2, 2)
t.t().copy_(torch.tensor([[10.0, 20], [30, 40]]))
print(t)
for bad in (
    lambda: torch.zeros(2).copy_(torch.zeros(3)),
    lambda: torch.zeros(3).copy_(torch.zeros(2, 3)),
    lambda: y.copy_(torch.zeros(3)),
    lambda: torch.zeros(3).copy_([1, 2, 3]),
    lambda: torch.zeros(1).expand(3).copy_(torch.arange(3.0)),
    lambda: torch.zeros(2).copy_(torch.tensor([1j, 2])),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
