"""torch.Tensor, torch.FloatTensor and friends."""

import torch

print(torch.Tensor([1, 2, 3]), torch.Tensor(2, 3).shape, torch.Tensor().shape, torch.Tensor(torch.Size([2, 2])).shape)
print(torch.FloatTensor([1, 2]), torch.DoubleTensor([1, 2]), torch.LongTensor([1.7, 2]) if False else torch.LongTensor([1, 2]), torch.IntTensor([3]))
print(torch.BoolTensor([True, False]), torch.ByteTensor([1, 255]), torch.HalfTensor([0.5]))
x = torch.Tensor([[1, 2], [3, 4]])
print(x.dtype, x.requires_grad, x.is_leaf, x.type(), torch.arange(2).type())
print(isinstance(x, torch.Tensor), isinstance(x, torch.FloatTensor), isinstance(x, torch.LongTensor), torch.is_tensor(x), torch.is_tensor([1]))
print(x.type(torch.float64).dtype, x.type("torch.DoubleTensor").dtype, x.type(torch.LongTensor).dtype, x.type_as(torch.arange(1)).dtype)
print(torch.Tensor(data=[1, 2]), torch.Tensor(data=(3.0,)), torch.Tensor(data=[]), torch.LongTensor(data=[1, 2]))
print(torch.Tensor(size=(2, 3)).shape, torch.Tensor(other=torch.ones(2)), torch.Tensor(data=torch.Size([2, 3])))
print(torch.Tensor([1.0], device="cpu"), torch.Tensor(device="cpu"), torch.FloatTensor(data=[1.0], device="cpu"))
for bad in (
    lambda: torch.Tensor(data=3), lambda: torch.Tensor(data=None), lambda: torch.Tensor(data=torch.ones(1)),
    lambda: torch.Tensor([1.0], data=[1.0]), lambda: torch.Tensor(2, 3, data=[1.0]), lambda: torch.Tensor(size=3),
    lambda: torch.Tensor(other=3), lambda: torch.FloatTensor(foo=1), lambda: torch.Tensor([1.0], device="meta"),
):
    try:
        bad()
    except Exception as err:
        print(type(err).__name__)
for bad in (lambda: torch.Tensor("a"), lambda: torch.Tensor(2.5), lambda: torch.Tensor([1], requires_grad=True)):
    try:
        bad()
    except TypeError as err:
        print(type(err).__name__)
