"""Forward mode through in-place operations, views, copies and mixed duals."""
import torch
import torch.autograd.forward_ad as fwAD


def tan(x):
    t = fwAD.unpack_dual(x).tangent
    return None if t is None else t.tolist()


p, t = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 10.0, 100.0])
with fwAD.dual_level():
    x = fwAD.make_dual(p.clone(), t.clone())
    v = x[1:]
    print(tan(v), tan(x.view(3, 1)), tan(x.flip(0)), tan(x[None].expand(2, 3)))
    v.mul_(2)
    print(tan(x), tan(v), x)
    x.add_(x)
    print(tan(x))
    y = torch.zeros(3)
    y[0] = x[2]
    print(tan(y), y)
    y.copy_(x)
    print(tan(y))
    y.zero_()
    print(tan(y))
    z = torch.ones(3)
    z.mul_(x).sin_()
    print([round(v, 3) for v in tan(z)])
    w = torch.zeros(2, 3)
    w[1].add_(x)
    print(tan(w))
    a = x.detach()
    print(tan(a), tan(x.clone()), tan(x.data), tan(x.to(torch.float64)))
    b = x * 2
    with torch.no_grad():
        b.mul_(3)
    print(tan(b))
    c = torch.stack([x, p])
    c[0, 0] = 0
    print(tan(c))
    d = x.masked_fill(torch.tensor([True, False, False]), 5.0)
    print(tan(d), tan(torch.where(x > 5, x, torch.zeros(3))), tan(x.clamp(0, 7)), tan(x.index_select(0, torch.tensor([2, 0]))))
    e = fwAD.make_dual(torch.tensor(2.0), torch.tensor(1.0))
    print(tan(e ** 3), tan(e * x.detach()), tan(torch.atan2(e, torch.tensor(1.0))))
    print(tan(x.max()), tan(x.sort(descending=True)[0]), tan(x.cumprod(0)), tan(x.prod()), tan(x.mean()), tan(x.var()), tan(x @ x))
    print(tan(x.unfold(0, 2, 1)), tan(torch.outer(x, x))[0], round(tan(x.norm()), 3))
    f = x.requires_grad_() if x.is_leaf else x
    print(x.is_leaf, x.requires_grad)
print(fwAD.unpack_dual(x).tangent)
with fwAD.dual_level():
    print(tan(x))
lvl = fwAD.enter_dual_level()
q = fwAD.make_dual(p, t, level=lvl)
print(tan(q))
fwAD.exit_dual_level(level=lvl)
for bad in (lambda: fwAD.exit_dual_level(), lambda: fwAD.make_dual(p, t), lambda: fwAD.exit_dual_level(level=3)):
    try:
        print(bad())
    except Exception as err:
        print(type(err).__name__)
