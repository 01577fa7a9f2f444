"""Making complex tensors and taking them apart."""
import torch
z = torch.tensor([1 + 2j, -3.5j, 2])
print(z, z.dtype, z.real, z.imag, z.abs(), z.angle(), z.conj(), z.is_complex(), z.shape, z.element_size())
print(torch.complex(torch.tensor([1.0, 2.0]), torch.tensor([0.5, -0.5])), torch.complex(torch.tensor(1.0, dtype=torch.float64), torch.tensor(2.0, dtype=torch.float64)).dtype, torch.polar(torch.tensor(2.0), torch.tensor(0.5)))
print(torch.view_as_real(z), torch.view_as_complex(torch.ones(3, 2)), torch.zeros(2, dtype=torch.complex64), torch.ones(2, 2, dtype=torch.cdouble), torch.full((2,), 1j), torch.eye(2, dtype=torch.cfloat), torch.arange(3).to(torch.complex64), torch.randn(2, dtype=torch.cfloat, generator=torch.Generator().manual_seed(0)).shape)
print(z + 1, z * 1j, z / 2, 1 / z, z ** 2, z - z, -z, z == z, z != 0, z @ z, z.sum(), z.mean(), z.prod(), z.cumsum(0), z.exp(), z.sqrt(), z.tolist(), z[0].item(), z.numpy())
print(torch.tensor([[1 + 1e-8j, 1e5], [0, -1j]]), torch.tensor([1e-3 + 1e3j]), torch.tensor([complex(1.5, float("nan"))]), torch.tensor(0j), torch.zeros(0, dtype=torch.complex64), torch.tensor([1.123456 + 2j, 10 - 20.5j]))
w = torch.tensor([3 + 4j], requires_grad=True)
print(w, w * 2, w.abs(), w.real, w.detach().real, w.conj())
w.abs().backward()
print(w.grad)
r = torch.zeros(3, dtype=torch.complex64)
r.real = torch.arange(3.0)
r.imag += 1
r[0] = 5
print(r, r.real.is_contiguous(), r.real.stride(), r.t().shape, r.reshape(3, 1).H)
