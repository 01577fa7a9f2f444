"""Power iteration, spectral normalisation, Rayleigh quotients, and matrix functions."""
import torch

A = torch.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
u = torch.tensor([1.0, 0.0])
with torch.no_grad():
    for _ in range(30):
        u = torch.mv(A, u)
        u.div_(u.norm())
sigma = torch.dot(u, A @ u)
print(u, sigma)
sigma.backward()
print(A.grad, torch.outer(u, u))
print(torch.linalg.matrix_norm(A, 2), torch.linalg.eigvalsh(A).max())
W = A / sigma.detach()
print(torch.linalg.svdvals(W))
A.grad = None
torch.linalg.eigvalsh(A)[1].backward()
print(A.grad)
A.grad = None
torch.linalg.matrix_exp(A.double()).trace().backward()
print(A.grad)
print(torch.linalg.matrix_power(A, 5), torch.matrix_power(A, 0).detach())
P = torch.tensor([[0.9, 0.1], [0.5, 0.5]])
pi = torch.ones(2) / 2
for _ in range(50):
    pi = pi @ P
print(pi, pi.sum())
