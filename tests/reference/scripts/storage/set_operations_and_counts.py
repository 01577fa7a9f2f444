"""unique, bincount, isin, searchsorted, nonzero, argwhere: integers at work."""
import torch

x = torch.tensor([3, 1, 2, 3, 1, 3])
u, inv, cnt = x.unique(return_inverse=True, return_counts=True)
print(u, inv, cnt, u[inv].equal(x), u[cnt.argmax()])
print(x.bincount(), torch.bincount(x, minlength=6), torch.bincount(x, weights=torch.ones(6) / 2))
print(torch.isin(x, torch.tensor([1, 2])), x[torch.isin(x, 3)], torch.isin(x, torch.tensor([1]), invert=True))
print((x == 3).nonzero().flatten(), torch.argwhere(x > 2).T, torch.nonzero(x.view(2, 3) == 3), x.eq(3).nonzero(as_tuple=True))
edges = torch.tensor([0.0, 1.0, 2.5])
print(torch.bucketize(torch.tensor([-1.0, 0.0, 1.7, 9.0]), edges), torch.searchsorted(edges, torch.tensor([1.0]), right=True))
print(torch.searchsorted(torch.tensor([[1, 3], [2, 4]]), torch.tensor([[2], [4]])), x.msort(), x.sort(descending=True, stable=True).indices)
print(torch.tensor([[1, 2], [1, 2], [3, 4]]).unique(dim=0, return_counts=True), x.unique_consecutive(), torch.tensor([1, 1, 2]).unique_consecutive(return_inverse=True))
print(torch.combinations(torch.tensor([1, 2, 3]), 2), torch.cartesian_prod(torch.tensor([0, 1]), torch.tensor([5, 6])))
print(torch.gcd(x, torch.tensor(6)), torch.lcm(x, torch.tensor(2)), x.bitwise_and(1), x << 1, x >> 1, ~x, x ^ 1, x % 2 == 0)
a, b = torch.tensor([1, 2, 3]), torch.tensor([2, 3, 4])
print(a[torch.isin(a, b)], torch.cat([a, b]).unique(), a[~torch.isin(a, b)], set(a.tolist()) & set(b.tolist()))
print(torch.histc(torch.tensor([0.0, 1.0, 1.5, 3.0]), bins=3), torch.unravel_index(torch.tensor([5]), (2, 3)), torch.tril_indices(2, 2))
