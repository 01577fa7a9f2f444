"""Complex leaves: gradients, refusals, views as real."""
import torch

z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
print(z, z.is_leaf, z.dtype, z.real, z.imag)
z.abs().sum().backward()
print(z.grad)
z.grad = None
(z * z.conj()).real.sum().backward()
print(z.grad)
z.grad = None
try:
    (z * 2).sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
(z * 2).sum().backward(torch.tensor(1 + 0j))
print(z.grad)
z.grad = None
(z ** 2).sum().backward(gradient=torch.tensor(1j))
print(z.grad)
z.grad = None
torch.view_as_real(z).sum().backward()
print(z.grad)
r = torch.tensor([1.0, 2.0], requires_grad=True)
c = torch.complex(r, r * 2)
print(c)
c.abs().pow(2).sum().backward()
print(r.grad)
r.grad = None
(r * 1j).imag.sum().backward()
print(r.grad)
print(z.angle(), z.conj(), z.exp(), z.log(), z / 2, z + 1, z @ z, torch.vdot(z, z), z.sum(), z.mean(), z.prod(), z.sqrt(), z ** 2, z.reciprocal())
print(z.conj().resolve_conj().detach(), z.is_complex(), z.conj().requires_grad, torch.is_conj(z), torch.is_neg(z.imag))
for g in (lambda: z > z, lambda: z.max(), lambda: z.float(), lambda: float(z[0]), lambda: z.floor(), lambda: z.relu(), lambda: z % 2, lambda: z.sort(), lambda: int(torch.tensor(2 + 0j)), lambda: complex(z[0]), lambda: z.clamp(0, 1), lambda: z == z, lambda: bool(z[0]), lambda: z.sign(), lambda: z.sgn(), lambda: r.imag, lambda: r.real is r):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
w = torch.zeros(2, dtype=torch.complex128)
w.real = torch.tensor([1.0, 2.0], dtype=torch.float64)
w.imag[0] = 5
print(w, w.real.data_ptr() == w.data_ptr())
opt = torch.optim.SGD([z], lr=0.1)
opt.step()
print(z)
