"""Singleton dimensions: views, strides, in-place forms, errors."""

import torch

x = torch.arange(6.0).view(2, 3)
for d in (0, 1, 2, -1, -2, -3):
    u = x.unsqueeze(d)
    print(d, u.shape, u.stride(), u._base is x._base, u.squeeze(d).shape)
for bad in (3, -4):
    try:
        x.unsqueeze(bad)
    except IndexError:
        print("IndexError", bad)
s = torch.ones(1, 2, 1, 3, 1)
print(
    s.squeeze().shape,
    s.squeeze(0).shape,
    s.squeeze(1).shape,
    s.squeeze(-1).shape,
    s.squeeze((0, 2)).shape,
    s.squeeze((1,)).shape,
    s.squeeze(dim=2).shape,
    torch.squeeze(s, 4).shape,
    s.squeeze(()).shape,
)
print(
    s[0, :, 0, :, 0].shape,
    s.flatten().shape,
    s.view(2, 3).shape,
    s.squeeze().unsqueeze(0).unsqueeze(-1).stride(),
)
y = x.clone()
print(
    y.unsqueeze_(1).shape,
    y.stride(),
    y.squeeze_().shape,
    y.t_().shape,
    y.transpose_(0, 1).shape,
    y._version,
    y.swapdims_(0, 1).stride(),
    y.is_contiguous(),
)
y.unsqueeze_(0).unsqueeze_(-1)
print(y.shape, y.squeeze_(0).shape, y.squeeze_(-1).shape, y)
z = x.clone().requires_grad_()
w = z * 1
w.unsqueeze_(0)
print(w.grad_fn, w.shape)
w.squeeze_(0).t_()
print(w.grad_fn, w.shape)
w[0] *= 5
w.sum().backward()
print(z.grad)
try:
    z.unsqueeze_(0)
except RuntimeError:
    print("RuntimeError")
with torch.no_grad():
    z.unsqueeze_(0)
print(z.shape, z.is_leaf, z.grad.shape)
v = x[0]
v.unsqueeze_(0)
print(v.shape, v._base is x._base, x.shape)
v.mul_(2)
print(x)
print(
    torch.tensor(5).unsqueeze(0),
    torch.tensor(5).squeeze(),
    torch.tensor([5]).squeeze(0),
    torch.tensor([[5]]).squeeze().dim(),
    torch.tensor(5).unsqueeze(-1).shape,
    torch.ones(0, 1).squeeze().shape,
)
