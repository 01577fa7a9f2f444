"""Complex tensors: arithmetic, parts, gradients by convention, in-place writes to parts."""
import torch

z = torch.tensor([1 + 2j, -3 + 0.5j], requires_grad=True)
for name, f in {
    "abs": lambda: z.abs(), "angle": lambda: z.angle(), "real": lambda: z.real, "imag": lambda: z.imag, "norm2": lambda: (z * z.conj()).real,
    "exp": lambda: z.exp().abs(), "square": lambda: (z**2).real, "inverse": lambda: (1 / z).imag, "times i": lambda: (z * 1j).real,
    "view": lambda: torch.view_as_real(z).sum(-1), "log": lambda: z.log().real, "sqrt": lambda: z.sqrt().real,
}.items():
    z.grad = None
    y = f()
    y.sum().backward()
    print(name, y.detach(), z.grad)
c = torch.zeros(2, dtype=torch.complex64)
c.real = torch.tensor([1.0, 2.0])
c.imag[1] = 5
print(c, c.dtype, c.real.dtype, c.is_complex(), c.numel(), c.element_size())
print(torch.complex(torch.ones(2), torch.zeros(2)), torch.tensor([1j]) * torch.tensor([1j]), c.conj(), c.abs().max())
m = torch.tensor([[1, 2j], [3, 4]])
print(m.H, m @ m.H, torch.linalg.det(m), m.mH.is_contiguous())
print(z.detach().to(torch.complex128).dtype, torch.tensor(1.0).to(torch.complex64), torch.tensor([1.5]) + 1j)
try:
    z.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
try:
    print(z < 1)
except (RuntimeError, NotImplementedError) as e:
    print("no order")
a = torch.tensor([1.0, 2.0], requires_grad=True)
(a * (1 + 1j)).abs().sum().backward()
print(a.grad, a.grad.dtype)
