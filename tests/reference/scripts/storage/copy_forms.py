"""copy_: broadcasting, casting, gradients to source and target, self copies, views."""
import torch

src = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
dst = torch.zeros(2, 3)
print(dst.copy_(src) is dst, dst, dst.grad_fn.name())
(dst * torch.arange(6.0).view(2, 3)).sum().backward()
print(src.grad)
i = torch.zeros(3, dtype=torch.int64)
print(i.copy_(src.detach() * 1.7), i.requires_grad)
d = torch.zeros(3, dtype=torch.float64)
src.grad = None
d.copy_(src).mul_(2)
d.sum().backward()
print(d, src.grad, src.grad.dtype)
x = torch.ones(3, requires_grad=True)
y = x * 5
y.copy_(src)
src.grad = None
y.sum().backward()
print(x.grad, src.grad)
z = torch.zeros(4, 3)
z[1:3].copy_(src.detach())
z[:, 0].copy_(torch.arange(4))
z[3, 1:] = z[0, 1:]
print(z)
z.t().copy_(torch.ones(3, 4))
print(z.sum(), z._version)
c = torch.zeros(2, dtype=torch.complex64)
c.copy_(torch.tensor([1.0, 2.0]))
print(c)
for bad in [lambda: torch.zeros(2).copy_(torch.zeros(3)), lambda: torch.zeros(2).copy_([1.0, 2.0]), lambda: x.copy_(src), lambda: torch.zeros(3).copy_(torch.zeros(2, 3))]:
    try:
        bad()
    except Exception as e:
        print(type(e).__name__)
s = torch.arange(4.0)
print(s.copy_(s.flip(0)), torch.empty_like(s).copy_(s))
