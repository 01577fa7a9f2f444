"""Solving, inverting, determinants: values and gradients."""
import torch

A = torch.tensor([[4.0, 1.0], [2.0, 3.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
for name, f in {
    "inv": lambda: torch.linalg.inv(A),
    "inverse": lambda: A.inverse(),
    "det": lambda: torch.det(A),
    "logdet": lambda: torch.logdet(A),
    "slogdet": lambda: torch.linalg.slogdet(A)[1],
    "solve": lambda: torch.linalg.solve(A, b),
    "solve matrix": lambda: torch.linalg.solve(A, torch.eye(2, dtype=torch.float64)),
    "pinv": lambda: torch.linalg.pinv(A),
    "matrix_power": lambda: torch.linalg.matrix_power(A, 3),
    "power -1": lambda: torch.matrix_power(A, -1),
    "matrix_exp": lambda: torch.matrix_exp(A / 10),
    "trace": lambda: torch.trace(A @ A),
    "multi_dot": lambda: torch.linalg.multi_dot([A, A, b]),
    "norm": lambda: torch.linalg.norm(A),
    "vector_norm": lambda: torch.linalg.vector_norm(A, 3),
    "matrix_norm": lambda: torch.linalg.matrix_norm(A),
    "nuc": lambda: torch.linalg.matrix_norm(A, "nuc"),
    "norm2": lambda: torch.linalg.norm(A, 2),
    "solve_triangular": lambda: torch.linalg.solve_triangular(A.tril(), b[:, None], upper=False),
    "lstsq": lambda: torch.linalg.lstsq(A, b[:, None]).solution,
}.items():
    A.grad = b.grad = None
    y = f()
    y.sum().backward()
    print(name, y.detach(), A.grad, b.grad)
try:
    torch.linalg.inv(torch.zeros(2, 2))
except RuntimeError as e:
    print(type(e).__name__, isinstance(e, torch.linalg.LinAlgError))
try:
    torch.linalg.inv(torch.zeros(2, 3))
except RuntimeError as e:
    print(type(e).__name__)
print(torch.det(torch.zeros(2, 2)), torch.linalg.matrix_rank(torch.ones(2, 2)), torch.linalg.cond(torch.eye(2)))
print(torch.linalg.inv(torch.stack([torch.eye(2), 2 * torch.eye(2)])))
