"""Writes through NumPy are shared but not counted."""
import numpy as np
import torch

t = torch.zeros(3)
n = t.numpy()
n[0] = 5
t[1] = 6
print(t, n, t._version)
n += 1
print(t, t._version)
a = np.arange(4.0)
u = torch.from_numpy(a)
u.mul_(2)
print(a, u.dtype)
a[:] = 0
print(u)
w = torch.tensor(a)
a[0] = 7
print(w, u)
v = torch.as_tensor(a)
v[3] = -1
print(a)
m = torch.arange(6).view(2, 3)
k = m.numpy()
k[0, 0] = 100
print(m, k.T.flags["C_CONTIGUOUS"], m.t().numpy().shape)
x = torch.ones(2, requires_grad=True)
try:
    x.numpy()
except RuntimeError as e:
    print("detach().numpy()" in str(e))
x.detach().numpy()[0] = 3
print(x, x._version)
y = x * 2
y.detach().numpy()[:] = 0
print(y)
y.sum().backward()
print(x.grad)
