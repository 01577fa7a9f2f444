"""What prints after each line? Views, copies and names."""

import torch

a = torch.zeros(4)
b = a
b += 1
print(1, a)
b = b + 1
print(2, a, b)
c = a[:2]
c += 5
print(3, a)
c = c + 5
print(4, a, c)
d = a[[0, 1]]
d += 100
print(5, a, d)
a[[0, 1]] += 100
print(6, a)
e = a.view(2, 2)
e[0] = e[1]
print(7, a)
f = a.reshape(2, 2).t()
f[0, 1] = -1
print(8, a)
g = a.reshape(2, 2).t().reshape(4)
g[0] = 77
print(9, a, g)
h = a.clone()
h[0] = 0
print(10, a[0], h[0])
i = list(a)
i[0] += 1
print(11, a, i[0])
j = a.tolist()
j[0] = None
print(12, a)
k, l = a[0], a[1].item()
a[0] = 3
a[1] = 4
print(13, k, l)
m = a.expand(2, 4)
a[2] = 50
print(14, m)
n = torch.stack([a, a])
a[3] = 60
print(15, n)
o = torch.tensor(a.tolist())
p = torch.as_tensor(a)
a.zero_()
print(16, o, p)
q = a == 0
a.fill_(1)
print(17, q)
r = a.numpy()
r[0] = 9
a[1] = 8
print(18, a, r)
s = {"x": a}
t = dict(s)
t["x"] += 1
print(19, s["x"])
t["x"] = t["x"] + 1
print(20, s["x"], t["x"])


def f(u):
    u *= 2
    u = u * 2
    return u


v = f(a)
print(21, a, v)
w = a
a = torch.ones(4)
print(22, w, a)
x, y = torch.arange(2.0)
x += 5
print(23, x, y)
z = torch.arange(2.0)
z[0], z[1] = z[1], z[0]
print(24, z)
z = torch.arange(2.0)
z[0], z[1] = z[1].clone(), z[0].clone()
print(25, z)
z[:] = z.flip(0)
print(26, z)
aa = [torch.zeros(1)] * 3
aa[0] += 1
print(27, aa)
bb = torch.zeros(2, 2)
bb[0][0] = 1
bb[[1]][0] = 1
bb[1:][0] = 2
print(28, bb)
