"""Fibonacci, logistic maps, running means, in lists and in preallocated tensors."""

import torch

r = torch.tensor(3.2, dtype=torch.float64, requires_grad=True)
x = torch.tensor(0.3, dtype=torch.float64)
xs = [x]
for _ in range(8):
    xs.append(r * xs[-1] * (1 - xs[-1]))
xs = torch.stack(xs)
print(xs)
print(torch.autograd.grad(xs[-1], r, create_graph=True))
a = torch.zeros(6)
a[0], a[1] = 1, 1
for i in range(2, 6):
    a[i] = a[i - 1] + a[i - 2]
print(a, a._version)
w = torch.tensor(0.5, requires_grad=True)
buf = torch.zeros(5)
for i in range(5):
    buf[i] = w**i if i == 0 else buf[i - 1].clone() * w
print(buf, buf.grad_fn)
buf.sum().backward()
print(w.grad)
w.grad = None
h = torch.zeros(2)
W = torch.tensor([[0.5, -0.2], [0.1, 0.3]], requires_grad=True)
outs = []
for t in torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]):
    h = torch.tanh(W @ h + t)
    outs.append(h)
torch.cat(outs).sum().backward()
print(torch.stack(outs), W.grad)
ema = torch.tensor(0.0)
for v in [1.0, 2.0, 3.0]:
    ema.mul_(0.9).add_(v, alpha=0.1)
print(ema)
c = torch.tensor([1.0, 2.0, 3.0, 4.0]).cumsum(0) / torch.arange(1, 5)
print(c)
M = torch.tensor([[1, 1], [1, 0]])
P = torch.eye(2, dtype=torch.int64)
for _ in range(10):
    P = P @ M
print(P, torch.linalg.matrix_power(M.double(), 10).long(), torch.matrix_power(M.float(), 3))
n = torch.tensor(27)
steps = 0
while n != 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    steps += 1
print(steps, n)
