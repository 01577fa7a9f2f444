"""Gradients of complex functions: conjugate convention, real losses."""

import torch

z = torch.tensor([1.0 + 2.0j, -0.5 + 0.5j], requires_grad=True)


def grad_of(f):
    (g,) = torch.autograd.grad(f(z), z)
    return g


print(grad_of(lambda z: z.abs().sum()))
print(grad_of(lambda z: (z * z.conj()).real.sum()))
print(grad_of(lambda z: z.real.sum()), grad_of(lambda z: z.imag.sum()))
print(grad_of(lambda z: (z**2).real.sum()))
print(grad_of(lambda z: z.angle().sum()))
print(grad_of(lambda z: torch.view_as_real(z).pow(2).sum()))
try:
    (z**2).sum().backward()
except RuntimeError as e:
    print(type(e).__name__, "complex" in str(e))
(z**2).sum().backward(torch.tensor(1.0 + 0.0j))
print(z.grad, z.grad.dtype)
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x * (1 + 1j)).exp()
y.abs().sum().backward()
print(x.grad, x.grad.dtype)
a = torch.complex(x, x * 2)
print(a, torch.autograd.grad(a.abs().sum(), x))
