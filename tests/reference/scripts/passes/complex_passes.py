"""Backward with complex leaves and results."""
import torch

z = torch.tensor([1 + 2j, -0.5 + 0j], requires_grad=True)
print(z.dtype, z)


def g(f, z=z):
    try:
        return torch.autograd.grad(f(z), z)[0]
    except Exception as e:
        return type(e).__name__


print(g(lambda z: z.abs().sum()))
print(g(lambda z: z.real.sum()), g(lambda z: z.imag.sum()))
print(g(lambda z: (z * z.conj()).real.sum()))
print(g(lambda z: z.sum()))
print(g(lambda z: (z ** 2).sum().real))
print(g(lambda z: z.angle().sum()))
print(g(lambda z: z.exp().abs().sum()))
print(g(lambda z: torch.view_as_real(z).pow(2).sum()))
print(g(lambda z: (z[0] * z[1]).abs()))
print(torch.autograd.grad(z * 2, z, torch.tensor([1 + 1j, 1j])))
print(torch.autograd.grad(z ** 2, z, torch.ones(2, dtype=torch.complex64)))
r = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.autograd.grad((r * (1 + 1j)).abs().sum(), r))
print(torch.autograd.grad(torch.complex(r, r * 2).abs().sum(), r))
print(torch.autograd.grad((r * z).real.sum(), (r, z)))
for go in (torch.ones(2), torch.ones(2, dtype=torch.complex128), torch.ones(2) * 1j, None):
    try:
        print(torch.autograd.grad(z * 1, z, go))
    except Exception as e:
        print(type(e).__name__)
for go in (torch.ones(2, dtype=torch.complex64), torch.ones(2, dtype=torch.float64)):
    try:
        print(torch.autograd.grad(r * 1, r, go))
    except Exception as e:
        print(type(e).__name__)
try:
    z.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
w = torch.tensor(1 + 1j, dtype=torch.complex128, requires_grad=True)
(g1,) = torch.autograd.grad((w ** 3).abs() ** 2, w, create_graph=True)
print(g1)
print(torch.autograd.grad(g1.real, w, retain_graph=True), torch.autograd.grad(g1.imag, w))
for _ in range(3):
    loss = (w - (2 - 1j)).abs() ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.25 * w.grad
        w.grad = None
    print(loss, w)
