"""Cholesky, QR, eigenvalues, SVD: what is unique about them, and gradients."""
import torch

S = torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], dtype=torch.float64, requires_grad=True)
L = torch.linalg.cholesky(S)
print(L.detach())
print(torch.allclose(L @ L.T, S), L.grad_fn.name())
L.diagonal().log().sum().backward()
print(S.grad)
S.grad = None
w, V = torch.linalg.eigh(S)
print(w.detach(), torch.allclose(V @ torch.diag(w) @ V.T, S))
w[-1].backward()
print(S.grad)
S.grad = None
torch.linalg.eigvalsh(S).prod().backward()
print(S.grad)
M = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=torch.float64, requires_grad=True)
U, s, Vh = torch.linalg.svd(M, full_matrices=False)
print(s.detach(), U.shape, Vh.shape, torch.allclose(U @ torch.diag(s) @ Vh, M))
s.sum().backward()
print(M.grad)
M.grad = None
torch.linalg.svdvals(M)[0].backward()
print(M.grad)
Q, R = torch.linalg.qr(M)
print(Q.shape, R.shape, torch.allclose(Q @ R, M), torch.allclose(Q.T @ Q, torch.eye(2, dtype=torch.float64)))
print(torch.linalg.svd(M)[0].shape, torch.linalg.qr(M, mode="complete")[0].shape)
P, Lo, Up = torch.linalg.lu(S.detach())
print(torch.allclose(P @ Lo @ Up, S.detach()))
print(torch.cholesky_solve(torch.ones(3, 1, dtype=torch.float64), L.detach()))
try:
    torch.linalg.cholesky(-S)
except RuntimeError as e:
    print(type(e).__name__)
r = torch.linalg.eigh(S.detach())
print(type(r).__name__, r.eigenvalues.shape)
print(torch.linalg.eigvals(torch.tensor([[0.0, -1.0], [1.0, 0.0]])).abs())
