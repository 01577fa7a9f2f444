"""Newton's method and Hessians through solve, eigh and inv."""
import torch


def rosenbrock(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


x = torch.tensor([-1.0, 1.5], dtype=torch.float64, requires_grad=True)
for i in range(8):
    (g,) = torch.autograd.grad(rosenbrock(x), x, create_graph=True)
    H = torch.stack([torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g])
    step = torch.linalg.solve(H, g.detach())
    with torch.no_grad():
        x -= step
print(x, rosenbrock(x).item() < 1e-12)
H = torch.autograd.functional.hessian(rosenbrock, x.detach())
print(H)
print(torch.linalg.eigvalsh(H), torch.linalg.cond(H))
print(torch.allclose(torch.linalg.inv(H) @ H, torch.eye(2, dtype=H.dtype)))
v = torch.tensor([1.0, 0.0], dtype=torch.float64)
(g,) = torch.autograd.grad(rosenbrock(x), x, create_graph=True)
(hv,) = torch.autograd.grad(g @ v, x)
print(hv, torch.allclose(hv, H @ v))
print(torch.autograd.functional.hvp(rosenbrock, x.detach(), v)[1])
