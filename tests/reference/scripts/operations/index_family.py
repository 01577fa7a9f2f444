"""index_select, index_add, index_copy, index_fill, index_put, take, put, masked_*"""

import torch

x = torch.arange(12.0).view(3, 4).requires_grad_()
i = torch.tensor([2, 0, 2])
s = x.index_select(0, i)
print(s)
(s * torch.tensor([[1.0], [2.0], [3.0]])).sum().backward()
print(x.grad)
x.grad = None
src = torch.ones(2, 4, requires_grad=True)
a = x.index_add(0, torch.tensor([1, 1]), src, alpha=2)
print(a, a.grad_fn.name())
a.sum().backward()
print(x.grad, src.grad)
x.grad = src.grad = None
c = x.index_copy(0, torch.tensor([0, 2]), src)
c.sum().backward()
print(c, x.grad, src.grad)
x.grad = None
f = x.index_fill(1, torch.tensor([1, 3]), -1)
print(f)
f.sum().backward()
print(x.grad)
v = torch.tensor(9.0, requires_grad=True)
print(x.index_fill(0, torch.tensor([0]), v).grad_fn)
p = torch.index_put(
    x, (torch.tensor([0, 0]), torch.tensor([1, 1])), torch.tensor([5.0, 6.0]), accumulate=True
)
print(p[0])
print(x.take(torch.tensor([[0, -1], [5, 5]])), torch.take(x, torch.tensor(3)))
y = torch.zeros(2, 3)
print(y.put_(torch.tensor([0, 4, 4]), torch.tensor([1.0, 2.0, 3.0]), accumulate=True))
m = x.masked_select(x > 5)
print(
    m,
    m.grad_fn.name(),
    x.masked_fill(x < 3, -7.0)[0],
    x.masked_scatter(x > 9, torch.tensor([1.0, 2.0]))[2],
)
x.grad = None
m.pow(2).sum().backward()
print(x.grad)
print(
    torch.take_along_dim(x, torch.tensor([[3], [0], [1]]), dim=1),
    torch.take_along_dim(x, torch.tensor([1, 2])),
)
for bad in [
    lambda: x.index_select(0, torch.tensor([3])),
    lambda: x.index_select(0, torch.tensor([[0]])),
    lambda: x.index_add_(0, torch.tensor([0]), torch.ones(1, 4)),
    lambda: x.masked_select(torch.ones(3, 4)),
    lambda: x.take(torch.tensor([99])),
    lambda: x.index_fill(0, i, torch.ones(2)),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
