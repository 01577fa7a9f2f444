"""torch.func.vjp and jvp."""
import torch
from torch.func import vjp, jvp

x = torch.tensor([1.0, 2.0, 3.0])
out, pull = vjp(torch.sin, x)
print(out, pull(torch.ones(3)), pull(torch.tensor([1.0, 0.0, 0.0])))
out, pull = vjp(lambda a, b: (a * b, a.sum()), x, x + 1)
print(out, pull((torch.ones(3), torch.tensor(2.0))))
out, pull, aux = vjp(lambda a: (a.exp(), {"k": a}), x, has_aux=True)
print(aux, pull(torch.ones(3)))
out, pull = vjp(lambda d: {"s": d["u"] * d["v"]}, {"u": x, "v": x * 2})
print(out, pull({"s": torch.ones(3)}))
for bad in (lambda: pull(torch.ones(3)), lambda: vjp(torch.sin, x)[1](torch.ones(2)), lambda: vjp(lambda a: 3, x),
            lambda: vjp(torch.sin, 3.0), lambda: vjp(torch.sin, x)[1](torch.ones(3, dtype=torch.float64)),
            lambda: vjp(torch.sin, x)[1](), lambda: vjp(torch.sin)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
print(jvp(torch.sin, (x,), (torch.ones(3),)))
print(jvp(lambda a, b: (a * b, a - b), (x, x + 1), (torch.ones(3), torch.zeros(3))))
print(jvp(lambda a: (a ** 2, "aux" and a.sum()), (x,), (torch.ones(3),), has_aux=True))
print(jvp(lambda d: d["a"] * 2, ({"a": x},), ({"a": x},)))
for bad in (lambda: jvp(torch.sin, x, x), lambda: jvp(torch.sin, (x,), (torch.ones(2),)), lambda: jvp(torch.sin, (x,), ()),
            lambda: jvp(torch.sin, (x, x), (x,)), lambda: jvp(torch.sin, (), ()),
            lambda: jvp(torch.sin, (x,), (1.0,)), lambda: jvp(torch.sin, [x], [x])):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
print(jvp(lambda a: jvp(torch.sin, (a,), (torch.ones(3),))[1], (x,), (torch.ones(3),)))
print(vjp(lambda a: vjp(torch.sin, a)[1](torch.ones(3))[0], x)[1](torch.ones(3)))
print(jvp(lambda a: vjp(torch.exp, a)[1](torch.ones(3))[0], (x,), (torch.ones(3),)))
print(jvp(lambda a: torch.ones(3), (x,), (torch.ones(3),)))
print(vjp(lambda a: torch.ones(3), x)[1](torch.ones(3)))
print(jvp(lambda a: a.long(), (x,), (x,)))
