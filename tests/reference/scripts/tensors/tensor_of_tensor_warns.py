"""torch.tensor of a tensor copies it, off the graph, and warns."""
import warnings
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    y = torch.tensor(x)
    z = torch.tensor(x * 2)
    w = torch.tensor(x, requires_grad=True)
    v = torch.tensor([x[0], x[1]])
    u = x.new_tensor(x)
print(len(caught) >= 3, {c.category.__name__ for c in caught})
for t in (y, z, w, v, u):
    print(t, t.is_leaf, t.requires_grad, t.data_ptr() == x.data_ptr())
try:
    torch.tensor(x, False)
except TypeError as e:
    print(type(e).__name__)
print(torch.tensor(data=[1.0], dtype=torch.float64, device="cpu", requires_grad=True))
print(torch.Tensor([1, 2]), torch.Tensor(2).shape, torch.Tensor(2, 3).shape, torch.Tensor().shape)
print(torch.FloatTensor([1, 2]), torch.DoubleTensor([1.5]), torch.LongTensor([3]), torch.BoolTensor([1, 0]), torch.HalfTensor([1]))
print(torch.ByteTensor([200]), torch.CharTensor([-3]), torch.ShortTensor([4]), torch.IntTensor([5, 6]))
print(isinstance(torch.LongTensor([1]), torch.LongTensor), isinstance(x, torch.FloatTensor), type(torch.LongTensor([1])))
print(x.type(), y.long().type(), x.type("torch.DoubleTensor"), x.type(torch.LongTensor))
