"""t_, squeeze_, unsqueeze_, transpose_, resize_, set_ on tensors with and without history."""
import torch

x = torch.arange(6.0).view(2, 3)
print(x.t_().shape, x.stride(), x.unsqueeze_(0).shape, x.squeeze_(0).shape, x.transpose_(0, 1).shape, x._version)
print(x.swapaxes_(0, 1).shape, x.squeeze_().shape)
w = torch.arange(6.0).view(2, 3).requires_grad_()
y = w * 2
y.t_()
print(y.shape, y.grad_fn.name())
y.unsqueeze_(1)
print(y.shape, y.grad_fn.name())
(y.squeeze() * torch.arange(6.0).view(3, 2)).sum().backward()
print(w.grad)
a = torch.ones(2, 2)
a.resize_(3)
print(a, a.shape)
a.resize_(2, 1)
print(a)
b = torch.zeros(3)
a.set_(b)
print(a, a.data_ptr() == b.data_ptr())
c = torch.zeros(2, 2)
try:
    w.resize_(3)
except RuntimeError as e:
    print(type(e).__name__)
d = torch.ones(2, 3)
v = d[0]
d.t_()
print(v, v._base.shape, d[0])
d.zero_()
print(v)
d.data = torch.ones(5)
print(d.shape, v)
e = torch.tensor([1.0, 2.0])
e.as_strided_((1,), (1,))
print(e, torch.zeros(3, 1).squeeze_(1).shape)
