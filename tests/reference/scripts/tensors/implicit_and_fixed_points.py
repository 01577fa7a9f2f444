"""Differentiating through a fixed point, by unrolling and by the implicit function theorem."""
import torch
a = torch.tensor([0.5, -0.3], dtype=torch.float64, requires_grad=True)
W = torch.tensor([[0.1, 0.4], [-0.2, 0.3]], dtype=torch.float64, requires_grad=True)
def f(z):
    return torch.tanh(W @ z + a)
z = torch.zeros(2, dtype=torch.float64)
for k in range(40):
    z = f(z)
z.sum().backward()
print(z, a.grad, W.grad)
ga, gw = a.grad.clone(), W.grad.clone()
a.grad = W.grad = None
with torch.no_grad():
    zs = torch.zeros(2, dtype=torch.float64)
    for k in range(60):
        zs = f(zs)
zs = zs.requires_grad_()
fz = f(zs)
J = torch.stack([torch.autograd.grad(fz[i], zs, retain_graph=True)[0] for i in range(2)])
v = torch.linalg.solve((torch.eye(2, dtype=torch.float64) - J).T, torch.ones(2, dtype=torch.float64))
fz.backward(v)
print(torch.allclose(a.grad, ga), torch.allclose(W.grad, gw), zs.grad is not None, J)
print(a.is_leaf, zs.is_leaf, fz.requires_grad, v.requires_grad)
class Fixed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(2, 2).double()
        with torch.no_grad():
            self.lin.weight.copy_(W)
            self.lin.bias.copy_(a)
    def forward(self, x):
        with torch.no_grad():
            z = torch.zeros_like(x)
            for _ in range(50):
                z = torch.tanh(self.lin(z) + x)
        z = torch.tanh(self.lin(z) + x)
        if z.requires_grad:
            z0 = z.clone().detach().requires_grad_()
            f0 = torch.tanh(self.lin(z0) + x)
            def hook(g):
                out = g
                for _ in range(50):
                    out = torch.autograd.grad(f0, z0, out, retain_graph=True)[0] + g
                return out
            z.register_hook(hook)
        return z
m = Fixed()
x = torch.zeros(1, 2, dtype=torch.float64, requires_grad=True)
out = m(x)
out.sum().backward()
print(out, x.grad, torch.allclose(m.lin.bias.grad, ga), torch.allclose(m.lin.weight.grad, gw))
