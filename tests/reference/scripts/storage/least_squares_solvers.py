"""Least squares three ways: normal equations, lstsq, pinv, QR, and gradient descent."""
import torch

X = torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]], dtype=torch.float64)
y = torch.tensor([[1.0], [3.0], [4.0], [8.0]], dtype=torch.float64)
w1 = torch.linalg.solve(X.T @ X, X.T @ y)
w2 = torch.linalg.lstsq(X, y).solution
w3 = torch.linalg.pinv(X) @ y
Q, R = torch.linalg.qr(X)
w4 = torch.linalg.solve_triangular(R, Q.T @ y, upper=True)
w5 = torch.cholesky_solve(X.T @ y, torch.linalg.cholesky(X.T @ X))
print(w1, [torch.allclose(w1, w) for w in (w2, w3, w4, w5)])
w = torch.zeros(2, 1, dtype=torch.float64, requires_grad=True)
for _ in range(500):
    loss = (X @ w - y).pow(2).mean()
    (g,) = torch.autograd.grad(loss, w)
    with torch.no_grad():
        w -= 0.1 * g
print(w, loss.item())
lam = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
ridge = torch.linalg.solve(X.T @ X + lam * torch.eye(2, dtype=torch.float64), X.T @ y)
err = (X @ ridge - y).pow(2).sum()
err.backward()
print(ridge, lam.grad)
L = torch.linalg.cholesky(X.T @ X)
print(L, torch.linalg.det(X.T @ X), L.diagonal().prod() ** 2)
