"""Linear regression from scratch: closed form, autograd and optim agree."""

import torch

X = torch.tensor([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0], [1.0, 4.0]], dtype=torch.float64)
y = torch.tensor([6.0, 5.0, 7.0, 10.0], dtype=torch.float64)
closed = torch.linalg.lstsq(X, y.unsqueeze(1)).solution.flatten()
print(closed)

theta = torch.zeros(2, dtype=torch.float64, requires_grad=True)
losses = []
for epoch in range(500):
    loss = ((X @ theta - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        theta -= 0.1 * theta.grad
        theta.grad.zero_()
    losses.append(loss.item())
print(theta, f"{losses[0]:.2f} {losses[-1]:.4f}", torch.allclose(theta, closed, atol=1e-3))
resid = y - X @ theta.detach()
print(resid, (X.T @ resid).abs().max() < 1e-2)
