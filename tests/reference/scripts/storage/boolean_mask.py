"""Boolean masks: reading, writing, gradients."""

import torch

x = torch.arange(12.0).reshape(3, 4).requires_grad_()
m = x > 5
print(m, m.dtype, m.sum())
print(x[m], x[m].grad_fn)
r = torch.tensor([True, False, True])
print(x[r], x[r, 1:], x[r][:, 0], x[:, torch.tensor([True, False, False, True])])
print(x[r, 0], x[r, [0, 1]])
try:
    x[torch.tensor([True, False])]
except IndexError as e:
    print("IndexError")
try:
    x[:, r]
except IndexError:
    print("IndexError")
(x[m] ** 2).sum().backward()
print(x.grad)
y = x.detach().clone()
y[m] = 0
print(y)
y[m] = torch.arange(6.0)
print(y)
y[r] = torch.tensor([1.0, 2, 3, 4])
print(y)
y[r, :2] = -1
print(y)
try:
    y[m] = torch.arange(4.0)
except Exception as e:
    print(type(e).__name__)
s = torch.tensor(3.0)
print(s[True], s[False], s[torch.tensor(True)], s[s > 5].shape)
s[s > 1] = 7
print(s)
print(x[True].shape, x[False].shape, x[None, True].shape, x[x > 100], x[x > 100].shape)
print(m.nonzero(), m.nonzero(as_tuple=True), torch.nonzero(r), torch.where(r))
print(y[~m], y[m & (y > 0)], y[m | r[:, None]])
