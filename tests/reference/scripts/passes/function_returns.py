"""What backward of a custom function may return."""
import torch
from torch.autograd import Function


def make(ret):
    class F(Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, g):
            return ret(g)
    return F


for name, ret in {
    "pair": lambda g: (g, g), "none": lambda g: None, "nones": lambda g: (None, None), "one": lambda g: g,
    "three none": lambda g: (g, g, None), "three": lambda g: (g, g, g), "list": lambda g: [g, g],
    "expandable": lambda g: (g.sum(), g), "too big": lambda g: (torch.ones(3, 2), g), "wrong": lambda g: (torch.ones(3), g),
    "double": lambda g: (g.double(), g), "int": lambda g: (g.long(), g), "number": lambda g: (1.0, g),
    "complex": lambda g: (g * 1j, g), "half": lambda g: (g.half(), g), "bool": lambda g: (g > 0, g), "first": lambda g: (g, None),
}.items():
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    try:
        make(ret).apply(a, b).sum().backward()
        print(name, a.grad, b.grad)
    except Exception as e:
        print(name, type(e).__name__)
a = torch.ones(2, requires_grad=True)
b = torch.ones(2)
make(lambda g: (g, g)).apply(a, b).sum().backward()
print(a.grad, b.grad)


class NoBackward(Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2


try:
    NoBackward.apply(a).sum().backward()
except Exception as e:
    print(type(e).__name__)


class Raises(Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        raise KeyError("inside")


try:
    Raises.apply(a).sum().backward()
except KeyError as e:
    print(type(e).__name__, e)


class NotTensor(Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2, 5, None, "s", [a]

    @staticmethod
    def backward(ctx, *gs):
        print([None if g is None else g.shape for g in gs])
        return gs[0] * 2


out = NotTensor.apply(a)
print(out, type(out))
out[0].sum().backward()
print(a.grad)
