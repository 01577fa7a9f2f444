"""Complex tensors: in place, views, masks, gradients."""

import torch

z = torch.tensor([1 + 1j, 2 - 1j, -3j], requires_grad=True)
y = z * 2
y[0] = 5
y[1:].mul_(1j)
y.real[2] += 10
print(y, y.grad_fn, y._version)
(y.abs() ** 2).sum().backward()
print(z.grad)
c = torch.zeros(2, 2, dtype=torch.complex128)
c[0, 0] = 1j
c[1] = torch.tensor([1.0, 2.0])
c.imag[1, 1] = -4
c.diagonal().conj_physical_()
print(c, c.mH, c.adjoint().shape)
c[0, 1] = 9 + 9j
print(c, c._version)
c[c.abs() > 5] = 0
print(
    c, c.real.is_contiguous(), c.real.stride(), c.imag.storage_offset(), torch.view_as_real(c).shape
)
torch.view_as_real(c)[..., 1].fill_(7)
print(c, c.angle().shape, c.nonzero().tolist())
k = torch.tensor([1 + 2j]).conj()
k.mul_(1j)
print(k, k.resolve_conj(), k.clone(), k.conj())
n = torch.tensor([1 + 2j]).conj().imag
print(n, n.resolve_neg(), n.clone(), (n + 0).is_neg())
try:
    torch.zeros(2).add_(c[0])
except RuntimeError:
    print("RuntimeError")
try:
    c.real = torch.ones(2, 2)
    print(c)
    torch.ones(2).imag = 3
except RuntimeError:
    print("RuntimeError")
print(
    c.index_fill(0, torch.tensor([0]), 1j),
    c.masked_fill(torch.tensor([[True, False]]), 2j),
    c.gather(0, torch.tensor([[1, 0]])),
    c.index_put((torch.tensor([0]),), torch.tensor(3j, dtype=torch.complex128), accumulate=True),
)
print(
    torch.where(torch.tensor([True, False]), c[0], c[1]),
    torch.tensor([1j, 2]).copy_(torch.tensor([3, 4])),
    c.flatten()[1:3].tolist(),
)
