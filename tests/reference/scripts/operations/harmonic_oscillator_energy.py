"""Leapfrog with forces from autograd; energies, reversibility, gradient of the end point."""

import torch


def potential(q, k):
    return 0.5 * k * (q**2).sum() + 0.1 * (q**4).sum()


k = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
q = torch.tensor([1.0, -0.5], dtype=torch.float64, requires_grad=True)
p = torch.tensor([0.0, 0.25], dtype=torch.float64, requires_grad=True)


def force(q):
    return -torch.autograd.grad(potential(q, k), q, create_graph=True)[0]


def leapfrog(q, p, steps, h):
    for _ in range(steps):
        p = p + 0.5 * h * force(q)
        q = q + h * p
        p = p + 0.5 * h * force(q)
    return q, p


q1, p1 = leapfrog(q, p, 5, 0.1)
print(q1, p1)
H = lambda q, p: potential(q, k) + 0.5 * (p**2).sum()
print(H(q, p), H(q1, p1), (H(q1, p1) - H(q, p)).abs() < 1e-3)
q0, p0 = leapfrog(q1, -p1, 5, 0.1)
print(torch.allclose(q0, q), torch.allclose(-p0, p))
g = torch.autograd.grad(q1.sum(), [k, q, p])
print(g)
J = torch.stack(
    [torch.cat(torch.autograd.grad(c, [q, p], retain_graph=True)) for c in torch.cat([q1, p1])]
    if False
    else [torch.zeros(4)]
)
print(J.shape, q1.grad_fn, p1.requires_grad)
