"""tril, triu, diag, diag_embed, diagonal, trace and eye-based masks."""

import torch

x = torch.arange(1.0, 13).view(3, 4).requires_grad_()
for k in (-1, 0, 2):
    print(x.tril(k).detach(), torch.triu(x, diagonal=k).detach(), x.diagonal(k).detach())
x.tril().sum().backward()
print(x.grad)
x.grad = None
(x.diagonal(offset=1) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.grad)
v = torch.tensor([1.0, 2.0], requires_grad=True)
print(
    torch.diag(v),
    torch.diag(v, 1),
    torch.diag(x),
    torch.diag_embed(v, offset=-1),
    torch.diag_embed(x, dim1=0, dim2=-1).shape,
)
torch.diag(v).pow(2).sum().backward()
print(v.grad, torch.diag(v).grad_fn, torch.diag(x).grad_fn)
s = torch.arange(9.0).view(3, 3).requires_grad_()
t = s.trace()
t.backward()
print(t, s.grad)
b = torch.arange(16.0).view(2, 2, 2, 2)
print(
    b.diagonal(dim1=1, dim2=3).shape,
    torch.diagonal(b, 0, 0, 1).shape,
    torch.diagonal(b, offset=1, dim1=-2, dim2=-1),
    b.tril().shape,
)
print(
    torch.tril_indices(3, 3, -1),
    torch.triu_indices(2, 3),
    torch.eye(2, 3),
    torch.eye(2, dtype=torch.int64),
)
print(
    torch.ones(3, 3, dtype=torch.bool).tril(),
    torch.tensor([[1, 2], [3, 4]]).triu_(1),
    torch.trace(torch.tensor([[1, 2], [3, 4]])),
)
for bad in [
    lambda: torch.tensor([1.0]).tril(),
    lambda: torch.diag(torch.ones(2, 2, 2)),
    lambda: b.trace(),
    lambda: s.diagonal(0, 1, 1),
    lambda: v.diagonal(),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print(
    torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(1), 1),
    torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 1),
    torch.slice_scatter(torch.zeros(4), torch.ones(2), start=0, end=4, step=2),
)
z = torch.zeros(3, 3)
z.fill_diagonal_(5)
z.diagonal().add_(1)
