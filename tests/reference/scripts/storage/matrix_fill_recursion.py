"""Dynamic programming tables filled in place, as values and as graph."""

import torch

n = 5
pascal = torch.zeros(n, n, dtype=torch.long)
pascal[:, 0] = 1
for i in range(1, n):
    pascal[i, 1 : i + 1] = pascal[i - 1, :i] + pascal[i - 1, 1 : i + 1]
print(pascal, pascal._version)
fib = torch.empty(8, dtype=torch.int32).fill_(1)
for i in range(2, 8):
    fib[i] = fib[i - 1] + fib[i - 2]
print(fib)
a, b = "kitten", "sitting"
d = torch.zeros(len(a) + 1, len(b) + 1, dtype=torch.int64)
d[:, 0], d[0] = torch.arange(len(a) + 1), torch.arange(len(b) + 1)
for i in range(1, len(a) + 1):
    for j in range(1, len(b) + 1):
        d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
print(d[-1, -1], d)
w = torch.tensor([0.5, 2.0], requires_grad=True)
rows = [torch.ones(3)]
for i in range(3):
    rows.append(torch.stack([rows[-1][0] * w[0], rows[-1][1] * w[1], rows[-1][2] + w.sum()]))
t = torch.stack(rows)
print(t)
t[-1].sum().backward()
print(w.grad)
table = torch.zeros(4, 3)
table[0] = 1
w.grad = None
for i in range(1, 4):
    prev = table[i - 1].clone()
    table[i, 0] = prev[0] * w[0]
    table[i, 1] = prev[1] * w[1]
    table[i, 2] = prev[2] + w.sum()
table[-1].sum().backward()
print(table, w.grad, table._version)
sieve = torch.ones(30, dtype=torch.bool)
sieve[:2] = False
for p in range(2, 6):
    if sieve[p]:
        sieve[p * p :: p] = False
print(sieve.nonzero().flatten())
grid = torch.zeros(5, 5, dtype=torch.int)
grid[1:4, 2] = 1
for _ in range(2):
    nb = sum(grid.roll((i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - grid
    grid = ((nb == 3) | ((grid == 1) & (nb == 2))).int()
    print(grid)
