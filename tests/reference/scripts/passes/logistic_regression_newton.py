"""Iteratively reweighted least squares with Hessians from autograd."""

import torch

torch.set_default_dtype(torch.float64)
X = torch.tensor([[1.0, 0.5], [1.0, -1.0], [1.0, 2.0], [1.0, 0.0], [1.0, -0.5]])
y = torch.tensor([1.0, 0.0, 1.0, 1.0, 0.0])
w = torch.zeros(2, requires_grad=True)


def nll(w):
    z = X @ w
    return (torch.nn.functional.softplus(z) - y * z).sum() + 0.05 * w @ w


for it in range(6):
    loss = nll(w)
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    H = torch.stack([torch.autograd.grad(gi, w, retain_graph=True)[0] for gi in g])
    step = torch.linalg.solve(H, g.detach())
    with torch.no_grad():
        w -= step
    print(it, f"{loss.item():.8f} {g.norm().item():.2e}" if it < 4 else f"{loss.item():.8f}")
print(w)
print(torch.linalg.inv(H).diagonal().sqrt())
