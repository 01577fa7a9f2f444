"""Influence functions: inverse Hessian-vector products by conjugate gradients."""
import torch

torch.set_default_dtype(torch.float64)
X = torch.tensor([[1.0, 2.0], [2.0, 0.5], [0.0, 1.0], [1.5, -1.0]])
y = torch.tensor([1.0, 2.0, 0.0, 1.0])
w = torch.zeros(2, requires_grad=True)
lam = 0.1


def losses(w):
    return 0.5 * (X @ w - y) ** 2


opt = torch.optim.LBFGS([w], max_iter=50, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    loss = losses(w).mean() + 0.5 * lam * w.dot(w)
    loss.backward()
    return loss


final = opt.step(closure)
print(f"{final.item():.6f}", w.detach().round(decimals=5), w.grad.abs().max() < 1e-5)
total = losses(w).mean() + 0.5 * lam * w.dot(w)
(g,) = torch.autograd.grad(total, w, create_graph=True)


def hvp(v):
    return torch.autograd.grad(g, w, v, retain_graph=True)[0]


def cg(b, tol=1e-10):
    x, r = torch.zeros_like(b), b.clone()
    p = r
    for _ in range(10):
        if r.norm() < tol:
            break
        Ap = hvp(p)
        a = (r @ r) / (p @ Ap)
        x, r2 = x + a * p, r - a * Ap
        p, r = r2 + (r2 @ r2) / (r @ r) * p, r2
    return x


test_grad = torch.autograd.grad(0.5 * (torch.tensor([1.0, 1.0]) @ w - 1) ** 2, w)[0]
s = cg(test_grad)
H = torch.stack([hvp(e) for e in torch.eye(2)])
print(H, torch.allclose(H @ s, test_grad))
influence = torch.stack([-(torch.autograd.grad(losses(w)[i], w)[0] @ s) for i in range(4)])
print((influence * 1000).round() / 1000, influence.argmin(), influence.argmax())
