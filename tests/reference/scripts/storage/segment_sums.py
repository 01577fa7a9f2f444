"""Sums over groups: index_add, scatter_add, scatter_reduce, one-hot products, bincount."""
import torch

values = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True)
group = torch.tensor([0, 2, 0, 1, 2])
weights = torch.tensor([1.0, 10.0, 100.0])
for name, f in {
    "index_add": lambda v: torch.zeros(3).index_add(0, group, v),
    "scatter_add": lambda v: torch.zeros(3).scatter_add(0, group, v),
    "reduce sum": lambda v: torch.zeros(3).scatter_reduce(0, group, v, "sum"),
    "reduce mean": lambda v: torch.zeros(3).scatter_reduce(0, group, v, "mean", include_self=False),
    "reduce amax": lambda v: torch.zeros(3).scatter_reduce(0, group, v, "amax", include_self=False),
    "reduce amin": lambda v: torch.full((3,), 9.0).scatter_reduce(0, group, v, "amin"),
    "reduce prod": lambda v: torch.ones(3).scatter_reduce(0, group, v, "prod"),
    "one hot": lambda v: torch.nn.functional.one_hot(group, 3).float().T @ v,
    "loop": lambda v: torch.stack([v[group == g].sum() for g in range(3)]),
    "in place": lambda v: torch.zeros(3).index_add_(0, group, v, alpha=0.5),
    "accumulate": lambda v: torch.zeros(3).index_put((group,), v, accumulate=True),
}.items():
    values.grad = None
    s = f(values)
    (s * weights).sum().backward()
    print(name, s.detach(), values.grad)
x = torch.zeros(2, 3)
x.scatter_(1, torch.tensor([[0, 2], [1, 1]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
print(x)
counts = torch.zeros(3).scatter_add_(0, group, torch.ones(5))
print(counts, torch.zeros(3).index_add(0, group, values.detach()) / counts)
