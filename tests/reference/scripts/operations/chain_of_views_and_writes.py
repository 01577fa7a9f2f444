"""Writes into views change the base and its gradients."""

import torch

x = torch.arange(6.0, requires_grad=True)
y = x * 2
v = y.view(2, 3)
v[0] *= 3
print(y, y.grad_fn.name(), v.grad_fn.name())
v.t()[2].zero_()
print(y)
y.sum().backward()
print(x.grad)
x.grad = None
z = x.clone()
z[1::2] = z[::2] * 10
print(z)
z.sum().backward()
print(x.grad)
a = torch.zeros(3, 3)
a.diagonal().copy_(torch.tensor([1.0, 2.0, 3.0]))
a[:, 1].add_(5)
a.select(0, 2).mul_(2)
a.narrow(1, 0, 1).fill_(-1)
print(a, a._version)
b = a.clone()
b.T[0] = torch.tensor([7.0, 8.0, 9.0])
b.unbind(0)[1].neg_()
b.view(-1)[::4] += 100
print(b)
for view in [
    a.transpose(0, 1),
    a.expand(2, 3, 3),
    a[0],
    a[:, 0],
    a.flatten(),
    a.t().flatten(),
    a.reshape(9),
    a[[0, 1]],
    a[a > 0],
    a.unsqueeze(0),
    a.contiguous(),
    a.T.contiguous(),
    a.detach(),
    a.chunk(2)[0],
    a.clone(),
    a.permute(1, 0),
    a.real,
    a.unfold(0, 2, 1),
    a.squeeze(),
    a.repeat(1, 1),
    a.tril(),
    a.movedim(0, 1),
    a.ravel(),
    a.mT,
    a.data,
]:
    print(
        view.data_ptr() == a.data_ptr(),
        view.untyped_storage().data_ptr() == a.untyped_storage().data_ptr(),
        view.is_contiguous(),
    )
with torch.no_grad():
    x[2] = 50
    x.mul_(2)
print(x, x._version)
for bad in [
    lambda: x.mul_(2),
    lambda: x[0].fill_(1),
    lambda: torch.zeros(2).expand(3, 2).add_(1),
    lambda: x.view(2, 3).zero_(),
]:
    try:
        bad()
        print("fine")
    except RuntimeError as error:
        print(type(error).__name__)
w = torch.zeros(2, requires_grad=True)
u = w.exp()
u.add_(1)
try:
    u.sum().backward()
except RuntimeError as error:
    print(type(error).__name__)
