"""Newton's method with autograd derivatives, first and second order."""

import torch


def newton(f, x, steps=6):
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    for k in range(steps):
        y = f(x)
        (g,) = torch.autograd.grad(y, x)
        with torch.no_grad():
            x -= y / g
        print(k, f"{x.item():.12f}", x._version, x.is_leaf)
    return x


root = newton(lambda t: t**2 - 2, 1.0)
print(root, root.grad)
newton(lambda t: torch.cos(t) - t, 0.5)
newton(lambda t: t.exp() - 3 * t, 0.0)


def minimise(f, x, steps=5):
    x = torch.tensor(x, requires_grad=True)
    for _ in range(steps):
        (g,) = torch.autograd.grad(f(x), x, create_graph=True)
        H = torch.stack([torch.autograd.grad(g[i], x, retain_graph=True)[0] for i in range(len(x))])
        step = torch.linalg.solve(H, g.detach())
        x = (x - step).detach().requires_grad_()
    return x, g


x, g = minimise(lambda v: (1 - v[0]) ** 2 + 100 * (v[1] - v[0] ** 2) ** 2, [-1.2, 1.0])
print(x.round(decimals=3), g.norm() < 1e-2)
H = torch.autograd.functional.hessian(
    lambda v: (1 - v[0]) ** 2 + 100 * (v[1] - v[0] ** 2) ** 2, torch.tensor([1.0, 1.0])
)
print(H)
