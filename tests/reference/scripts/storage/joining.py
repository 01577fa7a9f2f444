"""cat, stack and their relatives: gradients, dims, dtypes, refusals."""
import torch

a = torch.tensor([[1.0, 2.0]], requires_grad=True)
b = torch.tensor([[3.0, 4.0], [5.0, 6.0]], requires_grad=True)
c = torch.cat([a, b, a])
print(c, c.grad_fn.name())
(c * torch.arange(8.0).view(4, 2)).sum().backward()
print(a.grad, b.grad)
print(torch.cat((a, a), dim=1), torch.cat([a, a], -1).shape, torch.concat([a, b], axis=0).shape)
s = torch.stack([a, a * 2], dim=1)
print(s, s.shape, s.grad_fn.name())
print(torch.stack([torch.tensor(1.0), torch.tensor(2.0)]), torch.stack((b, b), -1).shape)
print(torch.hstack([a, a]), torch.vstack([a, b]).shape, torch.dstack([a, a]).shape)
print(torch.hstack([torch.tensor([1]), torch.tensor([2, 3])]), torch.column_stack([torch.arange(2), torch.ones(2)]))
print(torch.cat([torch.tensor([1]), torch.tensor([0.5])]), torch.cat([torch.zeros(0), torch.ones(2)]))
print(torch.cat([torch.ones(1, dtype=torch.bool), torch.ones(1, dtype=torch.int32)]).dtype)
print(torch.block_diag(torch.ones(1, 2), torch.tensor([[3.0]])))
print(torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])))
print(torch.combinations(torch.tensor([1, 2, 3])), torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")[1])
g = torch.meshgrid(torch.tensor([1.0, 2.0], requires_grad=True), torch.ones(3), indexing="xy")
print(g[0], g[0].shape)
for bad in [lambda: torch.cat([]), lambda: torch.cat([a, torch.ones(3)]), lambda: torch.cat([a, b], 1),
            lambda: torch.stack([a, b]), lambda: torch.stack([]), lambda: torch.cat(a, 1), lambda: torch.cat([a, 1.0]),
            lambda: torch.cat([a, b], dim=2), lambda: torch.cat([torch.tensor(1.0), torch.tensor(2.0)])]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
out = torch.cat([a.detach(), b], 0)
out.sum().backward()
print(b.grad)
