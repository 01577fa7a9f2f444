"""cat, stack and the rest: mixed dtypes, empties, dims, gradients."""

import torch

a = torch.tensor([[1.0, 2.0]], requires_grad=True)
b = torch.tensor([[3.0, 4.0], [5.0, 6.0]], requires_grad=True)
c = torch.cat([a, b])
print(c, c.grad_fn)
(c * torch.arange(6.0).view(3, 2)).sum().backward()
print(a.grad, b.grad)
print(
    torch.cat((a, b, a), dim=0).shape,
    torch.cat([b, b], -1),
    torch.concat([a, a]).shape,
    torch.concatenate((a, a), dim=1),
    torch.cat([a, a], axis=1) if False else "",
)
print(
    torch.cat([torch.tensor([1]), torch.tensor([2.5])]),
    torch.cat([torch.tensor([True]), torch.tensor([3])]).dtype,
)
print(torch.cat([torch.tensor([]), a]).shape, torch.cat([torch.empty(0, 2), a]).shape)
print(
    torch.stack([a, a]).shape,
    torch.stack((a[0], b[1]), dim=1),
    torch.stack([torch.tensor(1), torch.tensor(2)], -1),
)
print(
    torch.hstack((a[0], b[0])),
    torch.vstack((a[0], b)),
    torch.dstack([a, a]).shape,
    torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])]),
    torch.row_stack((a, a)).shape,
)
print(
    torch.hstack([a, a]).grad_fn.name(),
    torch.vstack([a, b]).grad_fn.name(),
    torch.stack([a, a]).grad_fn.name(),
    torch.column_stack([a, a]).grad_fn.name(),
)
print(torch.block_diag(a, torch.tensor(7.0), torch.ones(2, 1)))
g = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4, 5]), indexing="ij")
print(type(g).__name__, g[0], g[1])
print(torch.meshgrid([torch.tensor([1, 2]), torch.tensor([3, 4, 5])], indexing="xy")[0])
print(
    torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])),
    torch.cartesian_prod(torch.tensor([1, 2])),
)
print(
    torch.combinations(torch.tensor([1, 2, 3])),
    torch.combinations(torch.tensor([1, 2]), r=2, with_replacement=True),
    torch.combinations(torch.tensor([1, 2, 3]), 1),
)
print(
    torch.broadcast_tensors(torch.ones(2, 1), torch.zeros(3))[1].shape,
    torch.broadcast_shapes((2, 1), (3,)),
    torch.broadcast_to(torch.tensor([1, 2]), (2, 2)),
)
for bad in [
    lambda: torch.cat([a, torch.ones(3, 3)]),
    lambda: torch.stack([a, b]),
    lambda: torch.cat([]),
    lambda: torch.cat(a),
    lambda: torch.cat([torch.tensor(1.0)]),
    lambda: torch.cat([a, 1.0]),
    lambda: torch.stack([]),
    lambda: torch.cat([a, a], 2),
    lambda: torch.broadcast_to(b, (3,)),
    lambda: torch.meshgrid(torch.ones(2, 2)),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
out = torch.empty(0)
print(torch.cat([a.detach(), a.detach()], out=out) is out, out)
z = torch.cat([a, b.detach()])
print(z.requires_grad, torch.cat([a.detach(), b.detach()]).requires_grad)
