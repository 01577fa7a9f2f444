"""inv, solve, det, cholesky, qr, eigh, lstsq: values and gradients."""

import torch

A = torch.tensor([[4.0, 1.0], [2.0, 3.0]], dtype=torch.float64, requires_grad=True)
S = torch.tensor([[2.0, 0.5], [0.5, 1.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
for f in [
    lambda: torch.linalg.inv(A),
    lambda: A.inverse(),
    lambda: torch.linalg.solve(A, b),
    lambda: torch.linalg.det(A),
    lambda: A.det(),
    lambda: torch.logdet(A),
    lambda: torch.linalg.slogdet(A)[1],
    lambda: torch.linalg.cholesky(S),
    lambda: torch.linalg.eigvalsh(S),
    lambda: torch.linalg.svdvals(A),
    lambda: torch.linalg.matrix_norm(A),
    lambda: torch.linalg.norm(A),
    lambda: torch.linalg.norm(b, 1),
    lambda: torch.linalg.vector_norm(A, 3),
    lambda: torch.linalg.matrix_power(A, 3),
    lambda: torch.linalg.matrix_power(A, -1),
    lambda: torch.linalg.pinv(A),
    lambda: torch.linalg.lstsq(A, b.unsqueeze(1)).solution,
    lambda: torch.linalg.solve_triangular(A, b.unsqueeze(1), upper=True),
    lambda: torch.linalg.qr(A).R.abs(),
    lambda: torch.matrix_exp(A / 10),
    lambda: torch.linalg.cond(A),
    lambda: torch.cholesky_solve(b.unsqueeze(1), torch.linalg.cholesky(S)),
    lambda: torch.triangular_solve if False else torch.linalg.multi_dot([A, S, b]),
    lambda: torch.linalg.matrix_norm(A, "nuc"),
    lambda: torch.linalg.matrix_norm(A, 1),
    lambda: torch.linalg.norm(A, ord=2),
    lambda: torch.linalg.eigh(S).eigenvectors.abs(),
]:
    A.grad = S.grad = b.grad = None
    y = f()
    y.sum().backward()
    print(y.detach(), y.grad_fn.name())
    print([None if t.grad is None else t.grad.round(decimals=6) + 0.0 for t in (A, S, b)])
print(
    torch.linalg.matrix_rank(A),
    torch.linalg.eigvals(A.detach()),
    torch.linalg.inv(A.detach().float()).dtype,
)
for bad in [
    lambda: torch.linalg.inv(torch.zeros(2, 2)),
    lambda: torch.linalg.cholesky(-torch.eye(2)),
    lambda: torch.linalg.solve(torch.zeros(2, 2), torch.ones(2)),
    lambda: torch.linalg.det(torch.ones(2, 3)),
    lambda: torch.linalg.inv(torch.tensor([[1, 2], [3, 4]])),
    lambda: torch.linalg.eigh(torch.ones(3)),
    lambda: torch.linalg.qr(torch.ones(2)),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__, isinstance(error, RuntimeError))
print(
    torch.det(torch.zeros(0, 0)),
    torch.linalg.inv(torch.zeros(2, 0, 0)).shape,
    torch.linalg.det(torch.stack([torch.eye(2), 2 * torch.eye(2)])),
)
