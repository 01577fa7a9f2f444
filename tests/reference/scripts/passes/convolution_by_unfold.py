"""A convolution by unfold against conv2d: values and both gradients."""

import torch
import torch.nn.functional as F

x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
w = torch.tensor([[[[1.0, -1.0], [0.5, 2.0]]]], requires_grad=True)
a = F.conv2d(x, w)
cols = x.unfold(2, 2, 1).unfold(3, 2, 1).reshape(1, 1, 3, 3, 4)
b = (cols * w.flatten()).sum(-1)
print(torch.allclose(a, b), a)
ga = torch.autograd.grad(a.pow(2).sum(), (x, w))
gb = torch.autograd.grad(b.pow(2).sum(), (x, w))
print([torch.allclose(p, q) for p, q in zip(ga, gb)], ga[1])
(gx,) = torch.autograd.grad(F.conv2d(x, w, stride=2, padding=1).pow(2).sum(), x, create_graph=True)
(gw,) = torch.autograd.grad(gx.sum(), w)
print(gx.detach(), gw)
p = F.max_pool2d(x, 2)
print(p, torch.autograd.grad(p.sum(), x)[0])
print(torch.autograd.grad(F.avg_pool2d(x, 2, stride=1).sum(), x)[0])
