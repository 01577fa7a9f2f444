"""Names, aliases and in-place operators: what += does and what = does."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
a = x * 2
b = a
a += 1
print(b, a is b)
b = b + 1
print(a, a is b)
c = d = torch.zeros(2)
c += x
print(d.requires_grad, d is c)
d = d * x
d.sum().backward()
print(x.grad)


def update(t):
    t = t * 2
    return t


def update_(t):
    t *= 2


p = x.detach().clone()
update(p)
print(p)
update_(p)
print(p)
lst = [x * i for i in range(3)]
lst[1] += 1
total = sum(lst)
x.grad = None
total.sum().backward()
print(x.grad, total)
first, *rest = x.unbind()
print(first, len(rest), rest[0].grad_fn.name())
