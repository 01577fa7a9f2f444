"""Custom normalisation with masked writes: values and gradients against the version without."""
import torch

x = torch.tensor([[1.0, 5.0, 2.0], [4.0, 0.0, 3.0]], requires_grad=True)
mask = torch.tensor([[True, False, True], [True, True, False]])


def in_place(x):
    y = x.clone()
    y[~mask] = 0
    total = y.sum(1, keepdim=True)
    y /= total
    y[mask] = y[mask].log()
    return y


def out_of_place(x):
    y = torch.where(mask, x, torch.zeros(()))
    y = y / y.sum(1, keepdim=True)
    return torch.where(mask, torch.where(mask, y, torch.ones(())).log(), y)


with torch.no_grad():
    a, b = in_place(x.clamp(min=0.1)), out_of_place(x.clamp(min=0.1))
print(a)
print(torch.allclose(a, b))
w = torch.arange(6.0).view(2, 3)
xs = x.detach().clamp(min=0.5).requires_grad_()
(in_place(xs) * w).sum().backward()
g = xs.grad.clone()
xs.grad = None
(out_of_place(xs) * w).sum().backward()
print(g)
print(torch.allclose(g, xs.grad))
