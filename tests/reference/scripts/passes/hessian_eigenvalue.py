"""The largest eigenvalue of a Hessian by power iteration on Hessian-vector products."""

import torch

torch.set_default_dtype(torch.float64)
A = torch.tensor([[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.0]])
x = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)


def f(x):
    return 0.5 * x @ A @ x + torch.cos(x).sum()


(g,) = torch.autograd.grad(f(x), x, create_graph=True)
v = torch.ones(3) / 3**0.5
for i in range(50):
    (hv,) = torch.autograd.grad(g, x, v, retain_graph=True)
    lam = v @ hv
    v = hv / hv.norm()
H = torch.autograd.functional.hessian(f, x)
print(f"{lam.item():.6f} {torch.linalg.eigvalsh(H).max().item():.6f}")
print(
    f"{sum(torch.autograd.grad(g[i], x, retain_graph=True)[0][i] for i in range(3)).item():.6f} {H.trace().item():.6f}"
)
(third,) = torch.autograd.grad(torch.autograd.grad(g.sum(), x, create_graph=True)[0].sum(), x)
print(third)
