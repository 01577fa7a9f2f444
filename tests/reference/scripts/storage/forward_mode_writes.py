"""Forward-mode tangents through views, masks, scatter and expand, written in place."""

import torch
import torch.autograd.forward_ad as fw


def jvp(f, x, t):
    with fw.dual_level():
        out = f(fw.make_dual(x, t))
        p = fw.unpack_dual(out)
        return p.primal.tolist(), None if p.tangent is None else p.tangent.tolist()


x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
t = torch.tensor([1.0, -1.0, 0.5], dtype=torch.float64)


def copy_into(x):
    o = torch.zeros(2, 3, dtype=torch.float64)
    o[0] = x
    o[1].copy_(x * x)
    o[:, 1] *= 2
    return o


def masks(x):
    y = x * 1
    y[y > 1.5] = x[:2] ** 2
    y.masked_fill_(torch.tensor([True, False, False]), 9.0)
    return y


def views(x):
    y = x.clone()
    v = y.view(3, 1).expand(3, 1)
    y.unsqueeze_(0)
    y.squeeze_(0)
    y[1:].neg_()
    y.flip(0)[0]
    return y.as_strided((2,), (2,))


def swap(x):
    y = x.clone()
    y[0], y[2] = y[2].clone(), y[0].clone()
    return y


def scat(x):
    return (
        torch.ones(3, dtype=torch.float64)
        .scatter_(0, torch.tensor([2, 0]), x[:2])
        .index_add_(0, torch.tensor([1, 1]), x[1:])
        .index_fill_(0, torch.tensor([0]), 4.0)
    )


def chain(x):
    y = x.exp()
    y.log_().sin_().mul_(x).add_(x, alpha=2).clamp_(-1, 10).sub_(1).div_(x)
    return y


def out_of(x):
    o = torch.empty(3, dtype=torch.float64)
    for i, v in enumerate(x):
        o[i] = v**i
    return o


def zeroed(x):
    y = x * 2
    y.zero_()
    y[0] = x[1]
    return y


def partial(x):
    y = torch.ones(4, dtype=torch.float64)
    y[1:4:2] = x[:2]
    return y.cumsum(0)


for f in (copy_into, masks, views, swap, scat, chain, out_of, zeroed, partial):
    print(f.__name__, [torch.tensor(part) for part in jvp(f, x, t)])
    if f is not chain:  # whose results are overwritten, so that nothing goes backward
        print(torch.autograd.functional.jvp(f, x, t)[1].tolist())
with fw.dual_level():
    d = fw.make_dual(x.clone(), t)
    e = d[1:]
    e.mul_(10)
    print(fw.unpack_dual(d).tangent, fw.unpack_dual(e).tangent)
    d.detach().mul_(2)
    print(d, fw.unpack_dual(d).tangent)
    z = torch.zeros(3, dtype=torch.float64)
    v = z.view(3, 1)
    z.copy_(d)
    print(fw.unpack_dual(v).tangent)
    v[0].add_(d[2])
    print(fw.unpack_dual(z).tangent)
    with torch.no_grad():
        z.mul_(d)
    print(fw.unpack_dual(z).tangent)
print(fw.unpack_dual(z).tangent if False else z)
