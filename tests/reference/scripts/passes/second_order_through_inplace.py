"""Higher orders through in-place operations and views."""
import torch

x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)


def orders(f):
    y = f(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    out = [round(y.item(), 6), [round(v, 6) for v in g.tolist()]]
    if g.requires_grad:
        (h,) = torch.autograd.grad((g * torch.tensor([1.0, 10.0, 100.0])).sum(), x, allow_unused=True)
        out.append(None if h is None else [round(v, 5) for v in h.tolist()])
    return out


def setitem(x):
    a = x ** 2
    a[1] = x[0] * x[2]
    return (a * x).sum()


def chain(x):
    a = x.clone()
    a.mul_(x)
    a.add_(1).pow_(2)
    return a.sum()


def view_write(x):
    a = x.clone()
    v = a[1:]
    v.mul_(x[:2])
    return (a ** 2).sum()


def fill(x):
    a = x ** 3
    a[0].zero_()
    return a.sum()


def index_put(x):
    a = torch.zeros(5, dtype=torch.float64)
    a = a.index_put((torch.tensor([0, 2, 2]),), x ** 2, accumulate=True)
    return (a ** 2).sum()


def masked(x):
    a = x * x
    a.masked_fill_(x > 2.5, 0.0)
    return a.prod() + a.sum()


def buffer(x):
    out = torch.empty(3, dtype=torch.float64)
    for i in range(3):
        out[i] = x[i] ** (i + 1)
    return out.sum()


def copied(x):
    a = torch.zeros(2, 3, dtype=torch.float64)
    a[0].copy_(x ** 2)
    a[1] = a[0].clone() * x
    return a.sum()


def scan(x):
    h = torch.zeros((), dtype=torch.float64)
    for t in x.unbind():
        h = torch.tanh(h * t + t)
    return h


for f in (setitem, chain, view_write, fill, index_put, masked, buffer, copied, scan):
    print(f.__name__, orders(f))
