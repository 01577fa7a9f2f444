"""Implicit differentiation, an adjoint ODE step, unrolled optimisation."""
import torch

A = torch.tensor([[3.0, 1.0], [1.0, 2.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([1.0, -1.0], dtype=torch.float64, requires_grad=True)
x = torch.linalg.solve(A, b)
print(x, x.grad_fn)
gA, gb = torch.autograd.grad(x.sum(), (A, b), create_graph=True)
print(gA, gb)
print(torch.autograd.grad(gA.sum(), (A, b)))
theta = torch.tensor([0.5, -0.2], dtype=torch.float64, requires_grad=True)


def rk4(f, y, h):
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


y = torch.tensor([1.0, 0.0], dtype=torch.float64)
for _ in range(10):
    y = rk4(lambda s: torch.stack([s[1], theta[0] * s[0] + theta[1] * s[1]]), y, 0.1)
print(y)
print(torch.autograd.grad(y[0], theta))
z = torch.zeros(2, dtype=torch.float64)
for _ in range(100):
    z = torch.tanh(theta * z + 1)
z = z.detach().requires_grad_()
f = torch.tanh(theta * z + 1)
hook_calls = []


def solve(g):
    out = g
    for _ in range(100):
        out = torch.autograd.grad(f, z, out, retain_graph=True)[0] + g
    hook_calls.append(1)
    return out


fixed = torch.tanh(theta * z.detach() + 1)
fixed.register_hook(solve)
fixed.sum().backward()
print(theta.grad, len(hook_calls))
w = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
lam = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
v = w
for _ in range(5):
    (g,) = torch.autograd.grad((v - 3) ** 2 + lam * v ** 2, v, create_graph=True)
    v = v - 0.1 * g
print(v, torch.autograd.grad(v, (w, lam)))
