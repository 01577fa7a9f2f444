"""A Hessian, row by row, and a check that it is symmetric."""

import torch


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


p = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
f = rosenbrock(p)
(g,) = torch.autograd.grad(f, p, create_graph=True)
print(f, g)
H = torch.stack([torch.autograd.grad(gi, p, retain_graph=True)[0] for gi in g])
print(H)
print(torch.equal(H, H.T))

# Newton's method
p = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
for it in range(8):
    f = rosenbrock(p)
    (g,) = torch.autograd.grad(f, p, create_graph=True)
    H = torch.stack([torch.autograd.grad(gi, p, retain_graph=True)[0] for gi in g])
    with torch.no_grad():
        p -= torch.linalg.solve(H, g)
print(p)
