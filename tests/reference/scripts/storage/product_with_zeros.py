"""The gradient of prod where elements are zero, and its second derivative."""
import torch

for values in ([2.0, 3.0, 4.0], [2.0, 0.0, 4.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]):
    x = torch.tensor(values, requires_grad=True)
    y = x.prod()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    print(values, y, g, h)
x = torch.tensor([[1.0, 0.0], [2.0, 3.0]], requires_grad=True)
x.prod(dim=1).sum().backward()
print(x.grad)
x.grad = None
x.cumprod(1).sum().backward()
print(x.grad)
x.grad = None
x.cumprod(dim=0).sum().backward()
print(x.grad)
print(torch.prod(torch.tensor([])), torch.tensor([[2, 3], [4, 5]]).prod(1))
print(torch.tensor([1.0, 2.0, 3.0]).cumprod(0), torch.cumsum(torch.tensor([1, 2, 3]), 0))
print(torch.cumsum(torch.tensor([[True, True]]), dim=1), torch.cumsum(torch.ones(2, 2), axis=0))
