"""Conjugate gradient on Hessian-vector products solves H d = g."""

import torch

torch.set_default_dtype(torch.float64)
w = torch.tensor([1.0, 2.0, -1.0], requires_grad=True)


def loss_fn(w):
    return (w**4).sum() / 4 + (w**2).sum() + w[0] * w[1]


def hvp(g, v):
    return torch.autograd.grad(g, w, v, retain_graph=True)[0]


(g,) = torch.autograd.grad(loss_fn(w), w, create_graph=True)
b = g.detach()
x = torch.zeros_like(b)
r = b.clone()
p = r.clone()
for i in range(3):
    Hp = hvp(g, p)
    alpha = (r @ r) / (p @ Hp)
    x += alpha * p
    new = r - alpha * Hp
    beta = (new @ new) / (r @ r)
    p, r = new + beta * p, new
    print(i, f"{r.norm().item():.2e}" if i < 2 else r.norm().item() < 1e-10)
print(x)
print(torch.allclose(hvp(g, x), b))
