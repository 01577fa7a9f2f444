"""Filling a matrix row by row, as beginners write it."""

import torch

m = torch.zeros(3, 4)
for i in range(3):
    for j in range(4):
        m[i, j] = i * 10 + j
print(m, m._version)
for row in m:
    row += 1
print(m, m._version)
for i, row in enumerate(m):
    m[i] = row.flip(0)
print(m)
m[:, 0], m[:, 1] = m[:, 1].clone(), m[:, 0].clone()
print(m)
m[0], m[1] = m[1], m[0]
print(m)
m[[0, 2]] = m[[2, 0]]
print(m)
m[1][2] = 100
m[1, 2:4][0] += 1
print(m)
m[[1]][0] = 7
print(m)
m.T[0] = torch.tensor([1.0, 2.0, 3.0])
m.diagonal().fill_(-1)
m.view(-1)[::5] *= 2
print(m)
m.unbind(1)[3].copy_(torch.tensor([5.0, 6, 7]))
print(m, len(m), m.tolist()[1])
del row
w = torch.zeros(2, 2, requires_grad=True)
acc = torch.empty(2)
for i in range(2):
    acc[i] = (w[i] + i).exp().sum()
print(acc, acc.grad_fn)
acc.prod().backward()
print(w.grad)
