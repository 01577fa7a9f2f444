"""gather is the transpose of scatter_add; sort and unsort with both."""

import torch

x = torch.tensor([[3.0, 1.0, 2.0], [0.5, 2.5, 1.5]], dtype=torch.float64, requires_grad=True)
v, i = x.sort(1)
print(v, i, v.grad_fn)
back = torch.zeros_like(x).scatter_(1, i, v)
print(back, torch.equal(back, x), back.grad_fn)
(back * torch.arange(6.0, dtype=torch.float64).view(2, 3)).sum().backward()
print(x.grad)
inv = i.argsort(1)
print(inv, v.gather(1, inv))
rank = torch.zeros_like(i).scatter_(1, i, torch.arange(3).expand(2, 3))
print(rank)
u = torch.randn(2, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
lhs = (x.detach().gather(1, i) * u).sum()
rhs = (x.detach() * torch.zeros(2, 3, dtype=torch.float64).scatter_add(1, i, u)).sum()
print(torch.allclose(lhs, rhs))
perm = torch.tensor([2, 0, 1])
print(x[:, perm][:, perm.argsort()].equal(x), x.index_select(1, perm).grad_fn)
y = torch.empty_like(x)
y[:, perm] = x
print(y, y.grad_fn)
z = x.detach().clone()
z[:, perm] = z.clone()
print(z)
k = torch.tensor([[0, 1], [2, 0]])


def f(t):
    return t.gather(1, k).prod(1)


print(torch.autograd.gradcheck(f, x), torch.autograd.gradgradcheck(f, x))


def g(t, s):
    return t.scatter(1, k, s).pow(2)


s = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(g, (x, s)), torch.autograd.gradgradcheck(g, (x, s)))


def h(t, s):
    return (
        t.index_add(1, torch.tensor([0, 0]), s)
        .index_copy(0, torch.tensor([1]), t[:1] * 2)
        .take(torch.tensor([0, 4, 4]))
    )


print(torch.autograd.gradcheck(h, (x, s)))
seg = torch.tensor([0, 0, 1, 2, 2, 2])
vals = torch.arange(1.0, 7).requires_grad_()
sums = torch.zeros(3).index_add(0, seg, vals)
means = sums / torch.tensor([2, 1, 3])
maxes = torch.full((3,), float("-inf")).scatter_reduce(0, seg, vals, "amax")
print(sums, means, maxes)
(means * torch.tensor([1.0, 10, 100]) + maxes).sum().backward()
print(vals.grad)
soft = (vals - maxes[seg]).exp()
print((soft / torch.zeros(3).scatter_add(0, seg, soft)[seg]).detach())
