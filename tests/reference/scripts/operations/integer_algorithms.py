"""Sieve, gcd by loop, base conversion, bit counts, permutations, histograms with ints."""

import torch

n = 30
sieve = torch.ones(n + 1, dtype=torch.bool)
sieve[:2] = False
for p in range(2, int(n**0.5) + 1):
    if sieve[p]:
        sieve[p * p :: p] = False
print(sieve.nonzero().squeeze(1), sieve.sum(), sieve.count_nonzero())
x = torch.tensor([12, 7, 255, 0])
bits = (x.unsqueeze(-1) >> torch.arange(8)) & 1
print(
    bits,
    bits.sum(-1),
    (bits << torch.arange(8)).sum(-1),
    x.bitwise_and(15),
    x ^ 1,
    ~x,
    x | 8,
    x << 2,
    x >> 1,
    x % 5,
    x // 5,
    -x // 5,
    torch.remainder(-x, 5),
    torch.fmod(-x, 5),
)
a, b = torch.tensor(84), torch.tensor(36)
while b:
    a, b = b, a % b
print(a, torch.gcd(torch.tensor(84), torch.tensor(36)), torch.lcm(torch.tensor(4), torch.tensor(6)))
perm = torch.tensor([2, 0, 3, 1])
inv = torch.empty_like(perm)
inv[perm] = torch.arange(4)
print(
    inv,
    perm[inv],
    perm.argsort(),
    torch.equal(perm.argsort(), inv),
    torch.tensor([10, 20, 30, 40])[perm],
)
c = torch.zeros(5, dtype=torch.long).scatter_add_(
    0, torch.tensor([0, 1, 1, 4]), torch.ones(4, dtype=torch.long)
)
print(
    c,
    torch.bincount(torch.tensor([0, 1, 1, 4])),
    c.cumsum(0),
    c.cumprod(0),
    c.argmax(),
    c.max(),
    c.float().mean(),
    c.prod(),
)
tri = torch.arange(1, 6).cumsum(0)
print(
    tri,
    tri * 2,
    tri.square(),
    tri.pow(2).sum(),
    tri.float().sqrt(),
    torch.tril(torch.ones(3, 3, dtype=torch.int32)),
    torch.triu(tri[:4].view(2, 2)),
)
print(
    torch.tensor(10) ** torch.arange(4),
    2 ** torch.arange(5),
    torch.tensor([3]) ** 2,
    torch.pow(torch.tensor([2]), 0.5),
    torch.tensor(7) / 2,
    torch.tensor(7) // 2,
    7 % torch.tensor(4),
    torch.tensor(-7) % 3,
    divmod(7, int(torch.tensor(2))),
)
digits = [int(d) for d in str(int(torch.tensor(1234)))]
print(
    digits,
    torch.tensor(digits) @ 10 ** torch.arange(3, -1, -1),
    torch.tensor([1, 0, 1]).bool().all(),
    torch.tensor([1, 0, 1]).any(),
    torch.arange(6).view(2, 3).sum(0),
    torch.arange(6).view(2, 3).prod(1),
)
