"""Convolutions: strides, paddings, groups, dilations, transposed, and their gradients."""
import torch
import torch.nn.functional as F

x = torch.arange(16.0).view(1, 1, 4, 4).requires_grad_()
w = torch.tensor([[[[1.0, 0.0], [0.0, -1.0]]]], requires_grad=True)
b = torch.tensor([0.5], requires_grad=True)
for kw in [{}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"stride": (1, 2), "padding": (0, 1)}, {"padding": "same"}, {"padding": "valid"}]:
    for t in (x, w, b):
        t.grad = None
    y = F.conv2d(x, w, b, **kw)
    (y**2).sum().backward()
    print(kw, tuple(y.shape), y.sum().item(), w.grad.flatten().tolist(), b.grad.item(), x.grad.sum().item())
y = F.conv2d(x, w)
print(y, y.grad_fn.name())
s = torch.arange(6.0).view(1, 2, 3).requires_grad_()
k = torch.ones(2, 1, 2)
print(F.conv1d(s, k, groups=2), F.conv1d(s, torch.ones(3, 2, 1)).shape, F.conv1d(s[0], torch.ones(1, 2, 2)))
t = F.conv_transpose2d(torch.ones(1, 1, 2, 2), w, stride=2)
print(t)
print(F.conv_transpose1d(torch.tensor([[[1.0, 2.0]]]), torch.ones(1, 1, 3), padding=1, stride=2, output_padding=1))
c = torch.nn.Conv2d(1, 2, 3, padding=1, bias=False)
print(c.weight.shape, c(x.detach()).shape)
for bad in [lambda: F.conv2d(x, torch.ones(1, 2, 2, 2)), lambda: F.conv2d(torch.ones(2, 2), w), lambda: F.conv2d(x, torch.ones(1, 1, 5, 5))]:
    try:
        bad()
    except RuntimeError as e:
        print(type(e).__name__)
(g,) = torch.autograd.grad(F.conv2d(x, w).pow(2).sum(), w, create_graph=True)
print(torch.autograd.grad(g.sum(), x)[0].sum())
