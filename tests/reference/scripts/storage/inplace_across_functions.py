"""Functions that write their arguments, as users call them."""

import torch


def normalize_(t):
    t -= t.mean()
    t /= t.std() + 1e-6
    return t


def augmented(t):
    t = t + 1
    t += 1
    return t


def cropped(t, n):
    return t[..., :n]


x = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64, requires_grad=True)
y = x * 1
r = normalize_(y)
print(r is y, y, y.grad_fn)
(y * torch.arange(4.0)).sum().backward()
print(x.grad)
print(augmented(x), x)
z = torch.zeros(2, 4)
cropped(z, 2).add_(1)
cropped(z, 3)[1] = 5
print(z)
d = {"a": z[0], "b": z[1]}
d["a"] += 1
d["b"][0] = -1
print(z, d["a"])
lst = [z[0, :2], z[1, 2:]]
lst[0] *= 3
lst[1].zero_()
print(z)


class Holder:
    def __init__(self, t):
        self.t = t


h = Holder(z)
h.t += 10
h.t[0] -= 5
print(z, h.t is z, z._version)


def swap(a, b):
    tmp = a.clone()
    a.copy_(b)
    b.copy_(tmp)


swap(z[0], z[1])
print(z)


def lazy(t, default=torch.zeros(2)):
    default += t
    return default


print(lazy(1), lazy(1))
q = torch.arange(5.0)
q[1:], q[0] = q[:-1].clone(), q[-1].clone()
print(q)
q[q.argmax()] = 0
q[q.topk(2).indices] *= -1
print(q, q.sort().values)
i, j = torch.tensor([0, 1]), torch.tensor([1, 2])
q[i], q[j] = q[j], q[i]
print(q)
