"""Convolutions by unfold, by loops and by F.conv, with gradients."""

import torch
import torch.nn.functional as F

x = torch.arange(16.0).view(1, 1, 4, 4).requires_grad_()
w = torch.tensor([[[[1.0, 0.0], [-1.0, 2.0]]]], requires_grad=True)
b = torch.tensor([0.5], requires_grad=True)
y = F.conv2d(x, w, b)
print(y, y.grad_fn)
cols = x.unfold(2, 2, 1).unfold(3, 2, 1)
hand = (cols * w[0, 0]).sum((-1, -2)) + b
print(torch.equal(y, hand), cols.shape, F.unfold(x, 2).shape)
(y * y).sum().backward()
print(x.grad, w.grad, b.grad)
print(
    F.conv2d(x, w, stride=2, padding=1),
    F.conv2d(x, w, dilation=2),
    F.conv2d(x, w, padding="same").shape,
)
s = torch.tensor([[[1.0, 2.0, 3.0, 4.0]]], requires_grad=True)
kern = torch.tensor([[[1.0, 0.0, -1.0]]])
print(
    F.conv1d(s, kern),
    F.conv1d(s, kern, padding=1),
    F.conv_transpose1d(s, kern),
    F.conv1d(s.squeeze(0), kern),
)
g = torch.autograd.grad(F.conv1d(s, kern, padding=1)[0, 0, 1], s)
print(g)
print(
    F.max_pool2d(x, 2),
    F.avg_pool2d(x, 2),
    F.max_pool1d(s, 2, 1),
    F.adaptive_avg_pool2d(x, 1),
    F.max_pool2d(x, 2, return_indices=True)[1],
    F.pad(s, (1, 1)),
    F.pad(s, (1, 2), "reflect"),
    F.interpolate(s, scale_factor=2),
)
print(
    F.conv2d(torch.ones(1, 4, 3, 3), torch.ones(4, 1, 2, 2), groups=4).shape,
    F.fold(F.unfold(x, 2, stride=2), (4, 4), 2, stride=2).equal(x),
)
for bad in [
    lambda: F.conv2d(x, torch.ones(1, 2, 2, 2)),
    lambda: F.conv2d(x, w.double()),
    lambda: F.conv2d(x, torch.ones(1, 1, 5, 5)),
    lambda: F.max_pool2d(x, 0),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
