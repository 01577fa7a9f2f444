"""view(dtype), view_as_real, real, imag: other looks at the same memory."""
import torch

x = torch.tensor([1.0, -2.0])
bits = x.view(torch.int32)
print(bits, bits._is_view(), bits.dtype)
bits[0] = 0
print(x, x._version)
print(torch.tensor([1, 2], dtype=torch.int32).view(torch.int16), torch.ones(2, 2).view(torch.int64).shape)
z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
r = torch.view_as_real(z)
print(r, r.shape, r.grad_fn.name())
r.pow(2).sum().backward()
print(z.grad)
c = torch.view_as_complex(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
print(c, c.real, c.imag, c.real.stride(), c.real._base is c)
c.real.zero_()
print(c)
c.imag[0] = 9
print(c)
z.grad = None
(z.real * 2 + z.imag * 3).sum().backward()
print(z.grad)
z.grad = None
z.abs().sum().backward()
print(z.grad)
z.grad = None
(z * z.conj()).real.sum().backward()
print(z.grad)
print(torch.complex(torch.tensor([1.0]), torch.tensor([2.0])), torch.polar(torch.tensor([1.0]), torch.tensor([0.0])))
print(z.detach().angle(), z.detach().conj().resolve_conj(), torch.is_complex(z), z.detach().mH.shape if False else "")
try:
    torch.ones(2).imag
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.view_as_complex(torch.ones(3))
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.ones(3).view(torch.int64)
except RuntimeError as e:
    print(type(e).__name__)
