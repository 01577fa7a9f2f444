"""The several functions behind the name max."""
import torch

x = torch.tensor([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]])
print(torch.max(x), x.max().dtype)
r = torch.max(x, 1)
print(r)
print(type(r).__name__, r.values, r.indices, len(r), r[0] is r.values)
values, indices = x.max(dim=0)
print(values, indices, indices.dtype)
print(x.max(1, keepdim=True).values.shape, x.min(-1).indices)
print(torch.max(x, torch.tensor(3.0)), torch.min(x, torch.zeros(2, 3)), x.max(x.flip(0)))
print(max(x[0]), min(torch.tensor([3, 1, 2])), max(x.tolist()[0]))
print(torch.tensor([3, 1]).max(), torch.tensor([True, False]).max())
print(torch.max(torch.tensor(4.0), dim=0))
print(torch.tensor([1.0, float("nan"), 3.0]).max(), torch.tensor([1.0, float("nan")]).argmax())
print(torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([float("nan"), 2.0])))
print(torch.maximum(torch.tensor([1.0, float("nan")]), torch.tensor(2.0)))
s = torch.sort(torch.tensor([3.0, 1.0, 2.0]))
print(s)
print(torch.topk(torch.tensor([3.0, 1.0, 2.0]), 2))
print(torch.median(torch.tensor([3.0, 1.0, 2.0, 5.0])), torch.median(x, dim=1))
print(torch.kthvalue(x, 2), torch.mode(torch.tensor([1, 2, 2, 3])))
print(torch.cummax(torch.tensor([1, 3, 2]), 0))
try:
    torch.max(x, 2)
except IndexError as e:
    print(e)
try:
    torch.zeros(3, 0).max(1)
except IndexError as e:
    print(type(e).__name__)
