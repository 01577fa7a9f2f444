"""Optimizers that take closures: counting evaluations, returned losses."""

import torch

x = torch.tensor([-1.5, 2.0], requires_grad=True)
calls = []


def closure():
    opt.zero_grad()
    loss = (1 - x[0]) ** 2 + 5 * (x[1] - x[0] ** 2) ** 2
    loss.backward()
    calls.append(loss.item())
    return loss


opt = torch.optim.SGD([x], lr=0.005)
for _ in range(5):
    loss = opt.step(closure)
print(len(calls), loss.requires_grad, f"{loss.item():.4f}", x)
with torch.no_grad():
    loss = opt.step(closure)
print(loss.grad_fn is not None, torch.is_grad_enabled())
