"""Iteration, unpacking, enumerate, zip, comprehension, in, reversed, star."""

import torch

x = torch.arange(6.0).view(3, 2).requires_grad_()
for i, row in enumerate(x):
    print(i, row, row.grad_fn.name())
a, b, c = x
(p, q), *rest = x
print(a, q, rest, [*x][1], len(x), x.__len__(), list(x.unbind(1))[0])
print(
    [r.sum().item() for r in x],
    {k: v.item() for k, v in zip("ab", x[0])},
    sum(x),
    max(x[0]),
    torch.stack(list(x)[::-1]),
)
(a * 2 + c.prod()).sum().backward()
print(x.grad)
print(
    3.0 in x,
    torch.tensor(4.0) in x,
    99 in x,
    list(reversed(x)),
    sorted(x[:, 0].tolist(), reverse=True),
    any(x[0] > 0),
    all(v >= 0 for v in x.flatten()),
)
for bad in [
    lambda: list(torch.tensor(1)),
    lambda: "a" in x,
    lambda: x.__setitem__("a", 1),
    lambda: sorted(x),
    lambda: dict(x.tolist()) and {x: 1}[x.clone()],
    lambda: iter(5),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
if torch.tensor([1.0]) and not torch.tensor(0):
    print("truth")
while torch.tensor(0).bool():
    pass
d = {x: "x"}
print(d[x], x in [x], [x].index(x), torch.tensor(2) in {2}, id(x) == id(x[...]), x is x.data)
m = torch.tensor([[1, 2], [3, 4]])
print([[v.item() for v in r] for r in m], tuple(m[0]), *m[1], m.tolist() == [[1, 2], [3, 4]])
