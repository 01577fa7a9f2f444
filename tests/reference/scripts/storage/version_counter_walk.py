"""Which operations count as writes, and which share the counter."""
import torch

x = torch.zeros(4)
print(x._version)
x.add_(1)
x += 1
x *= 2
x[0] = 3
x[1:3].fill_(9)
x.view(2, 2)[0, 0] = 1
x.detach().mul_(0)
print(x._version)
x.data.add_(1)
print("after .data", x._version)
y = x + 1
y = x.clone()
y.add_(1)
print("after copies", x._version, y._version)
v = x[:2]
w = v.view(1, 2)
print(v._version, w._version)
w.zero_()
print(x._version, v._version, w._version)
torch.add(x, 1, out=x)
print("out=", x._version)
x.copy_(torch.ones(4))
print("copy_", x._version)
x.copy_(x)
print("copy_ self", x._version)
x.requires_grad_()
with torch.no_grad():
    x.sub_(0.5)
print("no_grad", x._version)
x.zero_grad = None
x.grad = torch.zeros(4)
print(x.grad._version)
x.sum().backward()
print(x.grad._version)
try:
    x.unsqueeze_(0)
except RuntimeError:
    print("unsqueeze_ of a leaf", x._version)
x.requires_grad_(False)
print("unsqueeze_", x.unsqueeze_(0)._version)
t = torch.ones(2, 3)
t.t_()
print(t.shape, t._version)
t.squeeze_()
t.transpose_(0, 1)
print(t.shape, t._version)
t.resize_(6)
print(t.shape, t._version)
t.requires_grad_(False)
print(t._version)
t.fill_(2).sqrt_()
print(t, t._version)
