"""Batches of matrices: products, transposes, inverses, diagonals, broadcasting of batches."""

import torch

A = (
    torch.arange(18.0, dtype=torch.float64).view(2, 3, 3) % 7
    + 4 * torch.eye(3, dtype=torch.float64)
).requires_grad_()
b = torch.arange(6.0, dtype=torch.float64).view(2, 3).requires_grad_()
v = torch.tensor([1.0, -1.0, 0.5], dtype=torch.float64, requires_grad=True)
for f in [
    lambda: A @ v,
    lambda: v @ A,
    lambda: A @ b.unsqueeze(-1),
    lambda: torch.bmm(A, A),
    lambda: A.mT @ A,
    lambda: torch.linalg.solve(A, b),
    lambda: torch.linalg.inv(A),
    lambda: torch.linalg.det(A),
    lambda: A.diagonal(dim1=-2, dim2=-1),
    lambda: torch.diag_embed(b),
    lambda: torch.einsum("bij,bj->bi", A, b),
    lambda: torch.einsum("bii->b", A),
    lambda: A.tril() + A.triu(1),
    lambda: torch.linalg.cholesky(A @ A.mT),
    lambda: torch.linalg.eigvalsh(A + A.mT),
    lambda: torch.linalg.matrix_norm(A),
    lambda: torch.linalg.slogdet(A).logabsdet,
    lambda: torch.baddbmm(A, A, A, beta=0.5, alpha=2),
    lambda: torch.addbmm(A[0], A, A),
    lambda: torch.linalg.vecdot(b, v),
    lambda: torch.matmul(A.unsqueeze(1), b.view(1, 2, 3, 1)),
    lambda: torch.linalg.matrix_power(A, 2),
    lambda: torch.outer(b[0], v),
    lambda: torch.linalg.cross(b, v.expand(2, 3)),
    lambda: torch.kron(A[0], b),
    lambda: torch.cdist(b, v[None]),
    lambda: torch.linalg.svdvals(A),
    lambda: torch.linalg.qr(A).R.abs(),
    lambda: torch.matrix_exp(A / 20),
    lambda: torch.linalg.multi_dot([A[0], A[1], v]),
    lambda: torch.tensordot(A, v, dims=([2], [0])),
    lambda: torch.inner(A, v),
    lambda: torch.addmv(v, A[0], v),
    lambda: torch.addr(A[0], v, v),
    lambda: torch.linalg.pinv(A),
    lambda: torch.trace(A[0]),
    lambda: A.sum((-2, -1)),
    lambda: (
        torch.linalg.lu_solve(*torch.linalg.lu_factor(A), b.unsqueeze(-1))
        if hasattr(torch.linalg, "lu_solve")
        else A
    ),
]:
    for t in (A, b, v):
        t.grad = None
    y = f()
    (y * torch.linspace(0.5, 1.5, y.numel(), dtype=torch.float64).view(y.shape)).sum().backward()
    print(
        tuple(y.shape),
        y.grad_fn.name(),
        f"{y.sum().item():.5f}",
        [
            None if t.grad is None else f"{t.grad.sum().item():.5f} {t.grad.abs().max().item():.5f}"
            for t in (A, b, v)
        ],
    )
for bad in [
    lambda: torch.bmm(A, b),
    lambda: A @ b,
    lambda: torch.linalg.solve(A, v[:2]),
    lambda: torch.linalg.inv(b),
    lambda: torch.bmm(A, A[:1]),
    lambda: torch.baddbmm(b, A, A),
    lambda: torch.linalg.cholesky(A - 100),
    lambda: A.t(),
    lambda: A @ A.float(),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
