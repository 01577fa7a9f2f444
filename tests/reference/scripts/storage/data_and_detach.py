"""What .data and detach() share, and what they hide."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
d, t = w.data, w.detach()
print(
    d.requires_grad,
    t.requires_grad,
    d is w.data,
    d._is_view(),
    t._is_view(),
    t._base is w,
    d.grad_fn,
    t.grad_fn,
    t.is_leaf,
)
print(d.data_ptr() == w.data_ptr(), t.data_ptr() == w.data_ptr())
d[0] = 10
print(w, w._version, d._version)
t[1] = 20
print(w, w._version, t._version)
y = w * w
d.add_(1)
y.sum().backward()
print(w.grad)
y = w * w
t.add_(1)
try:
    y.sum().backward()
except RuntimeError as e:
    print("RuntimeError")
z = w * 2
z.detach_()
print(z.requires_grad, z.grad_fn, z.is_leaf)
v = (w * 2)[0:1]
try:
    v.detach_()
except RuntimeError as e:
    print("RuntimeError")
w.data = torch.tensor([5.0])
print(w, d, t, w.shape, w.grad.shape)
try:
    w.sum().backward()
    print(w.grad)
except RuntimeError:
    print("RuntimeError")
try:
    t.resize_(3)
    print(t.shape)
except RuntimeError:
    print("RuntimeError")
try:
    d.unsqueeze_(0)
    print(d.shape)
    t.unsqueeze_(0)
except RuntimeError:
    print("RuntimeError")
x = torch.ones(2, requires_grad=True)
x.detach().requires_grad_()
print(x.requires_grad, x.detach().requires_grad_().is_leaf)
