"""Derivatives of trace, determinant, inverse and norms beside their formulas."""

import torch

torch.set_default_dtype(torch.float64)
A = torch.tensor([[2.0, 0.5, 0.0], [0.3, 1.5, -0.2], [0.1, 0.4, 3.0]], requires_grad=True)
B = torch.tensor([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, 1.0]])
x = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)


def grad(y, v):
    return torch.autograd.grad(y, v, retain_graph=True)[0]


print(
    torch.allclose(grad((A @ B).trace(), A), B.T),
    torch.allclose(grad(A.det(), A), A.det() * A.inverse().T),
)
print(
    torch.allclose(grad(A.logdet(), A), A.inverse().mT),
    torch.allclose(grad(x @ A @ x, x), (A + A.T) @ x),
)
print(
    torch.allclose(grad(x @ A @ x, A), torch.outer(x, x)),
    torch.allclose(grad(A.norm(), A), A / A.norm()),
)
print(grad(A.inverse().sum(), A))
print(grad(torch.linalg.solve(A, x).sum(), A), grad(torch.linalg.solve(A, x).sum(), x))
print(grad(torch.matrix_exp(A * 0.1).trace(), A))
print(grad(torch.linalg.matrix_power(A, 3).trace(), A), 3 * torch.linalg.matrix_power(A, 2).T)
S = A @ A.T
print(grad(torch.linalg.eigvalsh(S).max(), A), torch.linalg.eigvalsh(S))
print(grad(torch.linalg.svdvals(A)[0], A), torch.linalg.matrix_norm(A, 2))
L = torch.linalg.cholesky(S)
print(L, torch.allclose(L @ L.T, S), grad(L.diagonal().log().sum() * 2, A))
H = torch.autograd.functional.hessian(lambda v: v @ S.detach() @ v / 2, x)
print(
    torch.allclose(H, S),
    torch.kron(torch.eye(2), B).shape,
    torch.block_diag(B, x).shape,
    torch.linalg.cond(A),
    torch.linalg.matrix_rank(B),
)
print(
    torch.einsum("ii->i", A),
    torch.einsum("ij,ij->", A, A),
    torch.tensordot(A, B, dims=2),
    torch.cross(x.detach(), B[0], dim=0),
)
torch.set_default_dtype(torch.float32)
