"""A symplectic integrator whose forces come from autograd, differentiated end to end."""

import torch

torch.set_default_dtype(torch.float64)


def H(q, p, m):
    return (p**2).sum() / (2 * m) + (1 - torch.cos(q)).sum()


def leapfrog(q, p, m, h, n):
    for _ in range(n):
        (dq,) = torch.autograd.grad(H(q, p, m), q, create_graph=True)
        p = p - h / 2 * dq
        q = q + h * p / m
        (dq,) = torch.autograd.grad(H(q, p, m), q, create_graph=True)
        p = p - h / 2 * dq
    return q, p


q0 = torch.tensor([0.5, -1.0], requires_grad=True)
p0 = torch.tensor([0.0, 0.3], requires_grad=True)
m = torch.tensor(1.3, requires_grad=True)
q, p = leapfrog(q0, p0, m, 0.1, 20)
print(q.detach(), p.detach(), f"{(H(q, p, m) - H(q0, p0, m)).item():.2e}")
J = torch.stack([torch.autograd.grad(v, q0, retain_graph=True)[0] for v in q])
print(J)
print(torch.autograd.grad(q.sum(), m))
