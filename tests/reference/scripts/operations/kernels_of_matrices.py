"""Distance matrices, kernels, kriging by hand."""

import torch

X = torch.tensor([[0.0], [1.0], [3.0]], dtype=torch.float64)
y = torch.tensor([1.0, 2.0, 0.0], dtype=torch.float64)
log_l = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
log_s = torch.tensor(-2.0, dtype=torch.float64, requires_grad=True)


def kernel(a, b):
    d = (a[:, None, :] - b[None, :, :]).pow(2).sum(-1)
    return torch.exp(-0.5 * d / log_l.exp() ** 2)


K = kernel(X, X) + log_s.exp() * torch.eye(3, dtype=torch.float64)
L = torch.linalg.cholesky(K)
alpha = torch.cholesky_solve(y[:, None], L).squeeze(-1)
nll = 0.5 * y @ alpha + L.diagonal().log().sum()
print(nll, nll.grad_fn)
nll.backward()
print(log_l.grad, log_s.grad)
T = torch.linspace(0, 3, 4, dtype=torch.float64)[:, None]
with torch.no_grad():
    Ks = kernel(T, X)
    mean = Ks @ alpha
    var = kernel(T, T).diagonal() - (Ks @ torch.linalg.solve(K, Ks.T)).diagonal()
print(mean, var.sqrt())
print(torch.logdet(K) / 2, torch.linalg.slogdet(K), K.logdet().grad_fn)
e, V = torch.linalg.eigh(K)
print(e, (V @ torch.diag(e) @ V.T).allclose(K))
D = torch.cdist(X, X)
print(D, (D**2).sum(), D.argsort(dim=1), D.fill_diagonal_(float("inf")).min(dim=1))
