"""A long chain, reused values, and a graph of many leaves."""

import torch

x = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
y = x
for _ in range(3000):
    y = y * 0.999 + 0.001 * torch.sin(y)
y.backward()
print(y.item(), x.grad.item())
leaves = [torch.tensor(float(i), requires_grad=True) for i in range(200)]
total = torch.zeros(())
for i, leaf in enumerate(leaves):
    total = total + leaf * i
total.backward()
print(total, sum(leaf.grad for leaf in leaves))
z = torch.ones(1, requires_grad=True)
s = z
for _ in range(10):
    s = s + s
s.backward()
print(z.grad)
f = [torch.tensor(1.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)]
seq = list(f)
for _ in range(20):
    seq.append(seq[-1] + seq[-2])
seq[-1].backward()
print(seq[-1], f[0].grad, f[1].grad)
