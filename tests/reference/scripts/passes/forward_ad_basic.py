"""Forward-mode: dual tensors, levels, and printing."""
import torch
import torch.autograd.forward_ad as fwAD

x, t = torch.tensor([1.0, 2.0]), torch.tensor([1.0, -1.0])
with fwAD.dual_level() as level:
    print(level)
    d = fwAD.make_dual(x, t)
    print(d, d.is_leaf, d.requires_grad, d._is_view())
    y = d ** 2 + d.sin()
    p = fwAD.unpack_dual(y)
    print(p.primal, p.tangent, type(p).__name__, p._fields)
    print(fwAD.unpack_dual(x), fwAD.unpack_dual(d).tangent is t)
    for f in (torch.exp, torch.relu, torch.sum, lambda a: a.max(), lambda a: a @ a, lambda a: a.softmax(0),
              lambda a: torch.stack([a, x]), lambda a: a.unsqueeze(0).t(), lambda a: a.norm(), lambda a: a[0],
              lambda a: a > 1, lambda a: a.detach(), lambda a: a.clone(), lambda a: a.long(), lambda a: a.cumsum(0),
              lambda a: torch.cat([x, a]), lambda a: a.sort()[0], lambda a: a.prod(), lambda a: a.double(), lambda a: a / x,
              lambda a: torch.where(a > 1, a, x), lambda a: a.std(), lambda a: a.logsumexp(0), lambda a: a.expand(2, 2)):
        print(fwAD.unpack_dual(f(d)))
    with torch.no_grad():
        print(fwAD.unpack_dual(d * 2))
    z = torch.zeros(2)
    z.add_(d)
    print(fwAD.unpack_dual(z))
    z.mul_(3)
    print(fwAD.unpack_dual(z))
print(fwAD.unpack_dual(d, level=0) if False else d)
try:
    print(fwAD.unpack_dual(d))
except Exception as e:
    print(type(e).__name__)
try:
    fwAD.make_dual(x, t)
except Exception as e:
    print(type(e).__name__)
with fwAD.dual_level():
    for a, b in ((x, torch.ones(3)), (x, torch.ones(2, dtype=torch.float64)), (torch.tensor([1, 2]), torch.tensor([1, 1])),
                 (x, 1.0), (x, None), (x, torch.tensor(1.0)), (x, torch.ones(2, dtype=torch.complex64))):
        try:
            print(fwAD.make_dual(a, b))
        except Exception as e:
            print(type(e).__name__)
    try:
        with fwAD.dual_level():
            pass
    except Exception as e:
        print(type(e).__name__)
    try:
        fwAD.make_dual(fwAD.make_dual(x, t), t)
        print("twice")
    except Exception as e:
        print(type(e).__name__)
