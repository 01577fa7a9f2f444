"""Least squares in four ways."""

import torch

g = torch.Generator().manual_seed(0)
X = torch.stack([torch.ones(6), torch.arange(6.0)], dim=1).double()
y = torch.tensor([1.0, 3.1, 4.9, 7.2, 8.8, 11.1], dtype=torch.float64)
w1 = torch.linalg.solve(X.T @ X, X.T @ y)
w2 = torch.linalg.lstsq(X, y.unsqueeze(1)).solution.squeeze()
w3 = torch.linalg.pinv(X) @ y
Q, R = torch.linalg.qr(X)
w4 = torch.linalg.solve_triangular(R, (Q.T @ y).unsqueeze(1), upper=True).squeeze(1)
print(w1, w2.allclose(w1), w3.allclose(w1), w4.allclose(w1))
w = torch.zeros(2, dtype=torch.float64, requires_grad=True)
for step in range(200):
    loss = ((X @ w - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w.sub_(w.grad, alpha=0.05)
        w.grad.zero_()
    if step % 50 == 0:
        print(step, round(loss.item(), 6))
print(w, w.grad)
r = y - X @ w1
print(r, (r @ r).sqrt(), 1 - (r @ r) / ((y - y.mean()) @ (y - y.mean())))
lam = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
ridge = torch.linalg.solve(X.T @ X + lam * torch.eye(2, dtype=torch.float64), X.T @ y)
ridge.sum().backward()
print(ridge, lam.grad)
sol = torch.linalg.lstsq(X, y[:, None])
print(sol.rank, type(sol).__name__, sol.residuals)
