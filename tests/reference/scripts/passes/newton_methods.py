"""Newton, Gauss-Newton and natural gradient steps by hand."""
import torch

torch.set_default_dtype(torch.float64)
t = torch.tensor([0.0, 1.0, 2.0, 3.0])
y = torch.tensor([2.0, 1.3, 0.9, 0.55])


def model(p):
    return p[0] * torch.exp(-p[1] * t)


def loss(p):
    return 0.5 * ((model(p) - y) ** 2).sum()


p = torch.tensor([1.5, 0.3], requires_grad=True)
for k in range(4):
    (g,) = torch.autograd.grad(loss(p), p, create_graph=True)
    H = torch.stack([torch.autograd.grad(gi, p, retain_graph=True)[0] for gi in g])
    step = torch.linalg.solve(H, g.detach())
    with torch.no_grad():
        p -= step
    print(k, p.detach(), f"{loss(p).item():.6f}")
q = torch.tensor([1.5, 0.3])
for k in range(4):
    J = torch.func.jacfwd(model)(q)
    r = model(q) - y
    q = q - torch.linalg.lstsq(J, r.unsqueeze(1)).solution.squeeze(1)
    print(k, q, f"{loss(q).item():.6f}")
print(torch.allclose(p.detach(), q, atol=1e-4))
w = torch.tensor([0.2, -0.1], requires_grad=True)
X = torch.tensor([[1.0, 0.5], [0.3, -1.0], [2.0, 1.0]])
c = torch.tensor([1.0, 0.0, 1.0])
prob = torch.sigmoid(X @ w)
nll = -(c * prob.log() + (1 - c) * (1 - prob).log()).mean()
(g,) = torch.autograd.grad(nll, w, retain_graph=True)
scores = torch.stack([torch.autograd.grad(prob[i].log(), w, retain_graph=True)[0] for i in range(3)])
pr = prob.detach()
F = (scores.T * (pr / (1 - pr))) @ scores / 3
print(g, F, torch.linalg.solve(F, g))
H = torch.autograd.functional.hessian(lambda w: -(c * torch.sigmoid(X @ w).log() + (1 - c) * (1 - torch.sigmoid(X @ w)).log()).mean(), w.detach())
print(torch.allclose(F, H), torch.linalg.eigvalsh(H))
