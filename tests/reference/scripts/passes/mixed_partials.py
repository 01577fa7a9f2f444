"""Mixed partial derivatives commute, by hand."""

import torch

x = torch.tensor(1.5, requires_grad=True)
y = torch.tensor(-0.5, requires_grad=True)
f = torch.sin(x * y) + x**2 * y**3

(fx,) = torch.autograd.grad(f, x, create_graph=True)
(fy,) = torch.autograd.grad(f, y, create_graph=True)
(fxy,) = torch.autograd.grad(fx, y, create_graph=True)
(fyx,) = torch.autograd.grad(fy, x, create_graph=True)
(fxx,) = torch.autograd.grad(fx, x, create_graph=True)
print(fx, fy)
print(fxy, fyx, torch.allclose(fxy, fyx))
print(fxx)
(fxyx,) = torch.autograd.grad(fxy, x, retain_graph=True)
(fxxy,) = torch.autograd.grad(fxx, y)
print(torch.allclose(fxyx, fxxy))
