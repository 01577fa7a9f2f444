"""Gradients come back in the dtype of the leaf, whatever the arithmetic used."""
import torch

for low in (torch.float16, torch.bfloat16, torch.float32):
    a = torch.tensor([1.0, 2.0], dtype=low, requires_grad=True)
    b = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    c = a * b
    print(c, c.dtype)
    c.sum().backward()
    print(a.grad, a.grad.dtype, b.grad, b.grad.dtype)
h = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
i = torch.tensor([3, 4])
(h * i).sum().backward()
print((h * i).dtype, h.grad)
x = torch.tensor([1.0, 2.0], requires_grad=True)
z = torch.tensor([1 + 1j, 2 - 1j], dtype=torch.complex128, requires_grad=True)
out = (x * z).sum()
print(out, out.dtype)
out.real.backward()
print(x.grad, z.grad)
s = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
y = x.detach().half().requires_grad_()
p = s * y
print(p, p.dtype)
p.sum().backward()
print(s.grad, y.grad)
q = torch.tensor([1.0], requires_grad=True)
r = q.double().half().float().to(torch.bfloat16)
print(r)
r.backward()
print(q.grad)
cast = q.to(torch.complex64)
print(cast)
cast.real.backward()
print(q.grad)
try:
    z.detach().to(torch.float32)
    zr = z.float()
    print(zr)
    zr.sum().backward()
    print(z.grad)
except Exception as e:
    print(type(e).__name__)
