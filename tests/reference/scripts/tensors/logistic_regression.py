"""Logistic regression by hand, with weights and bias as plain tensors."""

import torch

torch.manual_seed(0)
X = torch.randn(40, 2)
y = (X[:, 0] - 2 * X[:, 1] > 0).float()
w = torch.zeros(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for step in range(60):
    p = torch.sigmoid(X @ w + b)
    loss = -(y * torch.log(p + 1e-8) + (1 - y) * torch.log(1 - p + 1e-8)).mean()
    loss.backward()
    with torch.no_grad():
        for t in (w, b):
            t -= 1.0 * t.grad
            t.grad.zero_()
    if step % 20 == 0:
        print(step, f"{loss.item():.4f}", ((p > 0.5) == y.bool()).float().mean().item())
print(w, b)
