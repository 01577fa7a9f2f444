"""Pooling: maxima, means, adaptive, in one and two dimensions, with gradients."""
import torch
import torch.nn.functional as F

x = torch.tensor([[[[1.0, 3.0, 2.0, 0.0], [4.0, 4.0, 1.0, 5.0], [0.0, 2.0, 7.0, 1.0], [3.0, 1.0, 2.0, 6.0]]]])


def show(name, f, x=x):
    t = x.clone().requires_grad_()
    y = f(t)
    y.pow(2).sum().backward()
    print(name, tuple(y.shape), y.detach().flatten(), y.grad_fn.name())
    print(t.grad.flatten().round(decimals=4))  # the last digit of roots is arbitrary


show("max", lambda t: F.max_pool2d(t, 2))
show("max stride", lambda t: F.max_pool2d(t, 2, stride=1))
show("max pad", lambda t: F.max_pool2d(t, 3, stride=2, padding=1))
show("max ceil", lambda t: F.max_pool2d(t, 3, stride=2, ceil_mode=True))
show("max dilation", lambda t: F.max_pool2d(t, 2, dilation=2))
show("avg", lambda t: F.avg_pool2d(t, 2))
show("avg pad", lambda t: F.avg_pool2d(t, 3, stride=2, padding=1))
show("avg no pad", lambda t: F.avg_pool2d(t, 3, stride=2, padding=1, count_include_pad=False))
show("adaptive", lambda t: F.adaptive_avg_pool2d(t, (2, 3)))
show("adaptive 1", lambda t: F.adaptive_avg_pool2d(t, 1))
show("adaptive max", lambda t: F.adaptive_max_pool2d(t, 3))
show("max1d", lambda t: F.max_pool1d(t, 2), x[0])
show("avg1d", lambda t: F.avg_pool1d(t, 2, stride=1), x[0])
show("unbatched", lambda t: F.max_pool2d(t, 2), x[0])
y, i = F.max_pool2d(x, 2, return_indices=True)
print(y, i)
try:
    F.max_pool2d(x, 2, padding=2)
except RuntimeError as e:
    print(type(e).__name__)
