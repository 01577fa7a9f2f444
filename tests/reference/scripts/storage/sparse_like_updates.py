"""Word-vector style updates of a few rows, by index and under no_grad."""
import torch

E = torch.zeros(5, 2, requires_grad=True)
rows = torch.tensor([1, 3, 1])
target = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]])
for _ in range(3):
    loss = ((E[rows] - target) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        touched = rows.unique()
        E[touched] -= 0.25 * E.grad[touched]
    E.grad = None
print(E, E._version, loss)
with torch.no_grad():
    E.index_add_(0, rows, torch.ones(3, 2), alpha=-1)
    E[E[:, 0] < -1] = 0
    E.index_fill_(0, torch.tensor([4]), 9)
    E.index_copy_(0, torch.tensor([0, 2]), torch.tensor([[5.0, 5.0], [6.0, 6.0]]))
print(E, E.is_leaf, E.requires_grad)
mask = torch.zeros(5, dtype=torch.bool)
mask[rows] = True
print(mask, E[mask].shape, E.grad)
E[mask].sum().backward()
print(E.grad)
counts = torch.zeros(5, dtype=torch.long).index_add_(0, rows, torch.ones(3, dtype=torch.long))
print(counts, counts.nonzero().squeeze(1))
