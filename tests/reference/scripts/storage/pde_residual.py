"""A PDE residual by automatic differentiation, and the same by finite differences with slices."""
import torch

torch.set_default_dtype(torch.float64)
t = torch.linspace(0, 1, 5, requires_grad=True)
x = torch.linspace(-1, 1, 5, requires_grad=True)


def u(t, x):
    return torch.exp(-t) * torch.sin(3 * x)


f = u(t, x)
u_t, u_x = torch.autograd.grad(f.sum(), (t, x), create_graph=True)
(u_xx,) = torch.autograd.grad(u_x.sum(), x)
print(u_t.detach() + 0.1 * u_xx)
print(torch.allclose(u_xx, -9 * f), torch.allclose(u_t, -f))
grid = torch.linspace(0, 1, 11)
v = torch.sin(torch.pi * grid)
nu = 0.004
for _ in range(20):
    new = v.clone()
    new[1:-1] = v[1:-1] + nu / 0.01 * (v[2:] - 2 * v[1:-1] + v[:-2])
    new[0] = new[-1] = 0
    v = new
print(v)
k = torch.tensor(0.4, requires_grad=True)
v = torch.sin(torch.pi * grid)
for _ in range(3):
    lap = v[2:] - 2 * v[1:-1] + v[:-2]
    v = torch.cat([v[:1], v[1:-1] + k * lap, v[-1:]])
v.sum().backward()
print(k.grad)
