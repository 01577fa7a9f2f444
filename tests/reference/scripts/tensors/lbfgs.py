"""LBFGS on a small quadratic and on Rosenbrock."""

import torch

w = torch.tensor([5.0, -3.0], dtype=torch.float64, requires_grad=True)
opt = torch.optim.LBFGS([w], lr=0.5, max_iter=5)


def closure():
    opt.zero_grad()
    loss = ((w - torch.tensor([1.0, 2.0], dtype=torch.float64)) ** 2 * torch.tensor([1.0, 10.0], dtype=torch.float64)).sum()
    loss.backward()
    return loss


for _ in range(5):
    print(f"{opt.step(closure).item():.6f}")
print(w.data)
p = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
opt2 = torch.optim.LBFGS([p], line_search_fn="strong_wolfe", max_iter=50)


def rosen():
    opt2.zero_grad()
    loss = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
    loss.backward()
    return loss


opt2.step(rosen)
print([round(v, 4) for v in p.tolist()])
