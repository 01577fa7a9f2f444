"""Hypergradients: learning the learning rate through unrolled SGD with momentum."""

import torch

log_lr = torch.tensor(-3.0, requires_grad=True)
mu = torch.tensor(0.5, requires_grad=True)
target = torch.tensor([1.0, -1.0, 0.5])


def unroll(steps):
    w = torch.zeros(3, requires_grad=True)
    v = torch.zeros(3)
    for _ in range(steps):
        loss = ((w - target) ** 2).sum()
        (g,) = torch.autograd.grad(loss, w, create_graph=True)
        v = mu * v + g
        w = w - log_lr.exp() * v
    return ((w - target) ** 2).sum()


for outer in range(5):
    final = unroll(5)
    g_lr, g_mu = torch.autograd.grad(final, (log_lr, mu))
    with torch.no_grad():
        log_lr -= 0.3 * g_lr
        mu -= 0.05 * g_mu
    print(outer, f"{final.item():.4f} {g_lr.item():.4f} {g_mu.item():.4f}")
print(log_lr.requires_grad, mu.is_leaf)
