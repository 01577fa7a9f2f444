"""Tensors hash by identity, so they can be keys; == is elementwise."""

import torch

a = torch.tensor([1.0, 2.0])
b = torch.tensor([1.0, 2.0])
d = {a: "a", b: "b"}
print(d[a], d[b], len({a, b, a}), hash(a) == id(a))
print(a == b, (a == b).all(), torch.equal(a, b), a is b)
print(a != b, a == 1, a == torch.tensor([[1.0], [2.0]]))
print(a.eq(b), a.ne(b), a.lt(2), a.ge(2))
print([1.0, 2.0] == a if False else "", a == None, a != None)
print(a == "text", a.equal(torch.tensor([1.0, 2.0, 3.0])), torch.equal(torch.zeros(0), torch.zeros(0)))
try:
    a == torch.ones(3)
except RuntimeError as err:
    print(type(err).__name__)
try:
    a < "text"
except TypeError as err:
    print(type(err).__name__)
try:
    if a in [b]:
        print("in")
except RuntimeError as err:
    print(type(err).__name__)
print(a in [a], any(a is t for t in [b, a]))
print(torch.allclose(a, b + 1e-9), torch.isclose(a, b + 1e-3), a.allclose(b))
