"""tril, triu, diag, diagonal, diag_embed, fill_diagonal_, trace: parts of matrices."""
import torch

m = torch.arange(9.0).view(3, 3).requires_grad_()
print(m.tril(), m.triu(1), torch.tril(m, -1).grad_fn.name())
m.tril(-1).sum().backward()
print(m.grad)
m.grad = None
print(torch.diag(m), torch.diag(torch.tensor([1.0, 2.0]), 1), m.diagonal(offset=-1))
(m.diag() * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(m.grad)
m.grad = None
m.trace().backward()
print(m.grad)
v = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
d = torch.diag_embed(v)
print(d, d.shape, d.grad_fn.name())
(d * torch.arange(8.0).view(2, 2, 2)).sum().backward()
print(v.grad)
x = torch.zeros(2, 3)
x.fill_diagonal_(5)
print(x)
x.diagonal().add_(1)
print(x, torch.tril_indices(3, 3), torch.triu_indices(2, 3, 1))
i = torch.tril_indices(3, 3, -1)
L = torch.zeros(3, 3)
L[i[0], i[1]] = torch.tensor([1.0, 2.0, 3.0])
print(L, L.mT.triu(), torch.linalg.diagonal(L + torch.eye(3)))
