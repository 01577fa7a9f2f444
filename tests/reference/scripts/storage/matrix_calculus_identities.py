"""Gradients of matrix functions against their textbook formulas."""
import torch

torch.set_default_dtype(torch.float64)
A = torch.tensor([[3.0, 1.0], [0.5, 2.0]], requires_grad=True)
B = torch.tensor([[1.0, -1.0], [2.0, 0.5]])
x = torch.tensor([1.0, 2.0], requires_grad=True)


def check(name, value, inputs, formula):
    (g,) = torch.autograd.grad(value, inputs, retain_graph=True)
    print(name, torch.allclose(g, formula), g)


inv = torch.linalg.inv(A).detach()
check("trace", (A @ B).trace(), A, B.T)
check("quadratic", x @ A @ x, x, (A + A.T).detach() @ x.detach())
check("quadratic A", x @ A @ x, A, torch.outer(x.detach(), x.detach()))
check("logdet", torch.logdet(A), A, inv.T)
check("det", torch.det(A), A, torch.det(A).detach() * inv.T)
check("trace inv", torch.linalg.inv(A).trace(), A, -(inv @ inv).T)
check("frobenius", A.pow(2).sum(), A, 2 * A.detach())
check("norm", torch.linalg.norm(A), A, A.detach() / A.detach().norm())
check("power", torch.linalg.matrix_power(A, 3).trace(), A, 3 * (A @ A).detach().T)
check("exp", torch.linalg.matrix_exp(A).trace(), A, torch.linalg.matrix_exp(A).detach().T)
check("solve", torch.linalg.solve(A, x.detach()).sum(), A, -torch.outer(inv.T @ torch.ones(2), inv @ x.detach()))
U, S, Vh = torch.linalg.svd(A)
check("nuclear", S.sum(), A, (U @ Vh).detach())
check("spectral", S[0], A, torch.outer(U[:, 0], Vh[0]).detach())
