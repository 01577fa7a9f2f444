"""Polynomials: Horner, Vandermonde, roots of derivatives, Chebyshev."""

import torch

c = torch.tensor([2.0, -1.0, 0.5, 3.0], dtype=torch.float64, requires_grad=True)
x = torch.linspace(-1, 1, 5, dtype=torch.float64, requires_grad=True)
y = torch.zeros_like(x)
for k in reversed(range(4)):
    y = y * x + c[k]
V = x.detach()[:, None] ** torch.arange(4)
(gx, gc) = torch.autograd.grad(y.sum(), (x, c), create_graph=True)
print(gx, gc)
print(torch.autograd.grad(gx.sum(), x)[0])
T = [torch.ones_like(x), x]
for _ in range(3):
    T.append(2 * x * T[-1] - T[-2])
print(torch.stack(T).detach())
fit = torch.linalg.lstsq(V, torch.sin(x.detach())[:, None]).solution
print(
    fit.squeeze().round(decimals=6) + 0.0,
    ((V @ fit).squeeze() - torch.sin(x.detach())).abs().max() < 1e-9,
)
p = torch.tensor([1.0, -6.0, 11.0, -6.0], dtype=torch.float64)
comp = torch.zeros(3, 3, dtype=torch.float64)
comp[0] = -p[1:] / p[0]
comp[1, 0] = comp[2, 1] = 1
print(torch.linalg.eigvals(comp).real.sort().values)
conv = torch.nn.functional.conv1d(
    torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[3.0, 1.0]]]).flip(-1), padding=1
)
print(conv)
