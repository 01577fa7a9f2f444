"""Complex tensors: parts, conjugates, gradients of real losses."""

import torch

z = torch.tensor([1 + 2j, -3 + 0.5j, 0j], requires_grad=True)
print(z, z.dtype, z.real, z.imag, z.conj(), z.abs(), z.angle())
for f in [
    lambda: z.abs().sum(),
    lambda: (z * z.conj()).real.sum(),
    lambda: z.real.sum() + 2 * z.imag.sum(),
    lambda: torch.view_as_real(z).pow(2).sum(),
    lambda: (z**2).real.sum(),
    lambda: z.exp().imag.sum(),
    lambda: z.angle()[:2].sum(),
    lambda: torch.sgn(z).real.sum(),
    lambda: (z * (2 - 1j)).real.sum(),
    lambda: z.sum().abs(),
    lambda: z.norm(),
    lambda: (z.real * 3).sum(),
]:
    z.grad = None
    y = f()
    y.backward()
    print(y, z.grad)
print(
    z + 1, z * 1j, z / 2, 1j - z, z == z, z.detach().clone().mul_(2), torch.tensor([1.0, 2.0]) + 1j
)
print(
    torch.complex(torch.tensor([1.0]), torch.tensor([2.0])),
    torch.polar(torch.tensor([2.0]), torch.tensor([0.0])),
    torch.view_as_complex(torch.tensor([[1.0, 2.0]])),
    torch.is_complex(z),
    z.is_complex(),
    z.conj().resolve_conj().is_conj(),
)
print(
    torch.tensor([1 + 1j]).to(torch.float32),
    torch.tensor([3 - 4j]).sqrt(),
    torch.tensor([1j]).log(),
    torch.tensor(1j).item(),
    torch.tensor([1 + 2j, 3j]).sum(),
    torch.tensor([1 + 2j, 3j]).prod(),
    torch.tensor([1 + 2j, 3j]).mean(),
    torch.tensor([[1j, 2], [3, 4j]]).mH,
)
for bad in [
    lambda: z.sum().backward(),
    lambda: z < 1,
    lambda: z.max(),
    lambda: torch.tensor([1.0]).imag,
    lambda: torch.view_as_complex(torch.ones(3)),
    lambda: float(z[0]),
    lambda: z.floor(),
    lambda: torch.complex(torch.ones(1), torch.ones(1).double()),
    lambda: z.clamp(0, 1),
    lambda: torch.maximum(z, z),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print(
    torch.real(torch.tensor([1.0])),
    torch.conj(torch.tensor([1.0])),
    torch.tensor([1j, 2j]) @ torch.tensor([1j, 1.0 + 0j]),
    torch.vdot(torch.tensor([1j, 2j]), torch.tensor([1j, 1.0 + 0j])),
)
