"""Indexing puzzles from NumPy users."""

import torch

a = torch.arange(60).view(3, 4, 5)
i, j = torch.tensor([0, 2]), torch.tensor([1, 3])
print(
    a[i, j].shape,
    a[i, :, j].shape,
    a[:, i, j].shape,
    a[i][:, j].shape,
    a[i[:, None], j].shape,
    a[i[:, None], j[None, :], 0],
)
print(
    a[..., i].shape,
    a[i, ..., j].shape,
    a[None, i, j].shape,
    a[i, None, j].shape,
    a[:, i, None, j].shape,
    a[0, i, j],
    a[i, 0, j],
)
print(
    a[[0, 1], 1:3].shape,
    a[1:, [0, 1]].shape,
    a[1:, [0, 1], 2:4].shape,
    a[[True, False, True], :, 0],
    a[:, [True, False, True, False]].shape,
)
print(
    a[i, [1]],
    a[[[0]], [[1], [2]]].shape,
    a[torch.zeros(2, 3, dtype=torch.long)].shape,
    a[torch.zeros(2, 3, dtype=torch.long), torch.ones(3, dtype=torch.long)].shape,
)
print(
    a[a % 7 == 0], a[(a > 10) & (a < 15)], a[a.sum(2) > 100].shape, a[:, (a[0] > 12).any(1)].shape
)
b = a.clone()
b[i, j] = 0
b[..., 0] = torch.tensor([[-1], [-2], [-3]])
b[:, 1:3, [0, 4]] = torch.tensor([7, 8])
b[0][b[0] > 10] = 99
b[[0, 0, 0], [0, 0, 0], [1, 1, 1]] += 1
print(b)
b[None, 0] = 5
b[1] = torch.arange(5)
b[2, 3] = torch.tensor(4)
b[2, ..., -1] = b[2, ..., -2]
print(b)
c = torch.zeros(4, 4)
c[torch.arange(4), torch.arange(4)] = torch.arange(1.0, 5)
c[torch.tril_indices(4, 4, -1).unbind()] = -1
c[tuple(torch.triu_indices(4, 4, 2))] = 9
print(c, c[range(4), range(3, -1, -1)])
c[[0, 3], :] = c[[3, 0], :]
c[:, [0, 3]] = c[:, [3, 0]]
print(c)
ix = torch.meshgrid(torch.tensor([0, 2]), torch.tensor([1, 3]), indexing="ij")
print(c[ix], c[torch.tensor([0, 2])][:, torch.tensor([1, 3])])
print(
    c.flatten()[torch.tensor([0, -1])],
    c.take(torch.tensor([[0, 5]])),
    c.view(-1).index_select(0, torch.tensor([1, 1])),
    torch.take_along_dim(c, c.argmax(0, keepdim=True), 0),
)
d = c[torch.tensor([0])]
d[0, 0] = 1000
print(c[0, 0], d._base, c[0:1]._base is c)
