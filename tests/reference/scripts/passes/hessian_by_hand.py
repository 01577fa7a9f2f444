"""A Hessian row by row, in float64 and float32."""
import torch


def hessian(f, x):
    (g,) = torch.autograd.grad(f(x), x, create_graph=True)
    return torch.stack([torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g.reshape(-1)])


def rosenbrock(x):
    return ((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2).sum()


for dt in (torch.float64, torch.float32):
    x = torch.tensor([1.2, 0.8, -0.5], dtype=dt, requires_grad=True)
    h = hessian(rosenbrock, x)
    print(h, h.dtype)
    print(torch.allclose(h, h.t()), torch.linalg.eigvalsh(h).round(decimals=2))
x = torch.tensor([1.2, 0.8, -0.5], dtype=torch.float64)
print(torch.autograd.functional.hessian(rosenbrock, x))
print(torch.func.hessian(rosenbrock)(x))
q = torch.tensor([[2.0, 1.0], [1.0, 4.0]])
y = torch.tensor([1.0, -1.0], requires_grad=True)
quad = 0.5 * y @ q @ y
(g,) = torch.autograd.grad(quad, y, create_graph=True)
print(g, g.grad_fn.name())
print(torch.stack([torch.autograd.grad(g, y, e, retain_graph=True)[0] for e in torch.eye(2)]))
step = torch.linalg.solve(q, g.detach())
with torch.no_grad():
    y -= step
print(y, y.requires_grad, y.is_leaf)
