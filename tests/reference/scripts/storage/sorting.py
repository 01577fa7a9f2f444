"""sort, argsort, topk, unique, searchsorted: values, stability and gradients."""
import torch

x = torch.tensor([3.0, 1.0, 2.0, 1.0], requires_grad=True)
v, i = torch.sort(x, stable=True)
print(v, i)
(v * torch.tensor([1.0, 10.0, 100.0, 1000.0])).sum().backward()
print(x.grad)
print(x.sort(descending=True).values, x.argsort(stable=True), torch.argsort(x, descending=True)[0])
m = torch.tensor([[3, 1, 2], [9, 7, 8]])
print(m.sort(0).values, m.sort(dim=1, descending=True).indices, m.argsort(-1))
x.grad = None
t = x.topk(2)
t.values.sum().backward()
print(t, x.grad)
print(x.topk(2, largest=False).values, m.topk(1, dim=0), m.topk(2, 1, True, True).values)
print(torch.unique(torch.tensor([3, 1, 3, 2])))
print(torch.unique(torch.tensor([3, 1, 3, 2]), return_inverse=True, return_counts=True))
print(torch.unique(torch.tensor([[1, 2], [1, 2], [0, 5]]), dim=0))
print(torch.searchsorted(torch.tensor([1.0, 3.0, 5.0]), torch.tensor([0.5, 3.0, 6.0])))
print(torch.searchsorted(torch.tensor([1.0, 3.0, 5.0]), 3.0, right=True))
print(torch.bucketize(torch.tensor([0.5, 3.0]), torch.tensor([1.0, 3.0])))
print(torch.sort(torch.tensor([2.0, float("nan"), 1.0])).values, torch.sort(torch.tensor([True, False])).values)
print(torch.sort(torch.tensor(1.0)), torch.zeros(0).sort().values)
try:
    x.topk(9)
except RuntimeError as e:
    print(type(e).__name__)
