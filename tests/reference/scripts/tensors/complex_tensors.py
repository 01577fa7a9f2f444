"""Complex tensors: making, printing, parts, gradients."""

import torch

z = torch.tensor([3 + 4j, 1 - 2j])
print(z, z.dtype, z.real, z.imag, z.abs(), z.angle(), z.conj(), z * z, z / 2, z + 1, z.sum())
print(torch.complex(torch.tensor([1.0]), torch.tensor([2.0])), torch.view_as_real(z), torch.view_as_complex(torch.ones(2, 2)), torch.polar(torch.tensor(1.0), torch.tensor(0.0)))
w = torch.tensor([1.0 + 1.0j], requires_grad=True)
(w * w.conj()).real.sum().backward()
print(w.grad)
w.grad = None
w.abs().sum().backward()
print(w.grad)
try:
    (w * 2).sum().backward()
except RuntimeError as err:
    print(type(err).__name__)
print(z.to(torch.complex128).dtype, torch.zeros(2, dtype=torch.complex64), torch.ones(1, dtype=torch.cdouble), torch.is_complex(z), z.real.dtype, torch.tensor(2.0).to(torch.complex64))
print(z.exp(), z.sqrt(), (z == z.conj()), torch.tensor([1j]) ** 2, abs(z[0]), complex(z[0]), z.tolist(), z[0].item())
r = torch.tensor([1.0, 2.0], requires_grad=True)
(r * (1 + 2j)).imag.sum().backward()
print(r.grad)
