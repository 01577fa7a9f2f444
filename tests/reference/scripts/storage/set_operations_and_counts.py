"""unique, bincount, isin, searchsorted, nonzero, argwhere: integers at work."""
import torch

x = torch.tensor([3, 1, 2, 3, 1, 3])
u, inv, cnt = x.unique(return_inverse=True, return_counts=True)
print(u, inv, cnt, u[inv].equal(x), u[cnt.argmax()])
print((x == 3).nonzero().flatten(), torch.argwhere(x > 2).T, torch.nonzero(x.view(2, 3) == 3), x.eq(3).nonzero(as_tuple=True))
edges = torch.tensor([0.0, 1.0, 2.5])
print(torch.bucketize(torch.tensor([-1.0, 0.0, 1.7, 9.0]), edges), torch.searchsorted(edges, torch.tensor([1.0]), right=True))
print(torch.searchsorted(torch.tensor([[1, 3], [2, 4]]), torch.tensor([[2], [4]])), x.msort(), x.sort(descending=True, stable=True).indices)
print(torch.combinations(torch.tensor([1, 2, 3]), 2), torch.cartesian_prod(torch.tensor([0, 1]), torch.tensor([5, 6])))
a, b = torch.tensor([1, 2, 3]), torch.tensor([2, 3, 4])
