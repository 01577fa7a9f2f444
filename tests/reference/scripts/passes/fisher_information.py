"""Natural gradient with an empirical Fisher matrix."""

import torch

theta = torch.tensor([0.5, -0.25], dtype=torch.float64, requires_grad=True)
xs = torch.tensor([[1.0, 0.5], [-1.0, 2.0], [0.3, -0.7], [2.0, 1.0]], dtype=torch.float64)
ys = torch.tensor([1.0, 0.0, 1.0, 1.0], dtype=torch.float64)


def log_lik(theta, x, y):
    p = torch.sigmoid(x @ theta)
    return y * p.log() + (1 - y) * (1 - p).log()


for step in range(4):
    scores = torch.stack(
        [torch.autograd.grad(log_lik(theta, x, y), theta)[0] for x, y in zip(xs, ys)]
    )
    F = scores.T @ scores / len(xs) + 1e-3 * torch.eye(2, dtype=torch.float64)
    g = scores.mean(0)
    nat = torch.linalg.solve(F, g)
    with torch.no_grad():
        theta += 0.5 * nat
    print(step, theta.data, f"{log_lik(theta, xs, ys).mean().item():.5f}")
