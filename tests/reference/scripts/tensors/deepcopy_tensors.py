"""copy and deepcopy of tensors."""

import copy

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * 3).sum().backward()
y = copy.deepcopy(x)
print(y, y.grad, y.is_leaf, y is x, y.grad is x.grad, y.data_ptr() == x.data_ptr())
y.grad[0] = 100
print(x.grad)
z = copy.copy(x)
print(z, z.data_ptr() == x.data_ptr(), z.requires_grad, z is x)
try:
    copy.deepcopy(x * 2)
except RuntimeError as err:
    print(type(err).__name__, "Only Tensors created explicitly" in str(err))
print(copy.deepcopy((x * 2).detach()))
pair = [x, x, {"k": x}]
c = copy.deepcopy(pair)
print(c[0] is c[1], c[0] is c[2]["k"], c[0] is x)
b = torch.zeros(4)
views = copy.deepcopy([b, b[1:3], b.view(2, 2)])
views[0][1] = 7
print(views)
t = torch.arange(6.0).view(2, 3).t()
print(copy.deepcopy(t).stride(), copy.deepcopy(torch.tensor(1)), copy.deepcopy(torch.Size([2])))
x.tag = "kept"
print(copy.deepcopy(x).tag)
