"""Custom functions that return inputs, views, or the same tensor twice."""
import torch
from torch.autograd import Function


def build(fwd, bwd=lambda ctx, *g: g[0]):
    return type("Fn", (Function,), {"forward": staticmethod(fwd), "backward": staticmethod(bwd)})


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
Identity = build(lambda ctx, x: x)
y = Identity.apply(x)
print(y is x, y.grad_fn, y.is_leaf, y.data_ptr() == x.data_ptr(), y._is_view())
y.sum().backward()
print(x.grad)
ViewAs = build(lambda ctx, x: x.view_as(x))
y = ViewAs.apply(x)
print(y is x, y.grad_fn, y._is_view(), y._base is x)
T = build(lambda ctx, x: x.t(), lambda ctx, g: g.t() * 3)
y = T.apply(x)
print(y, y._is_view(), y.stride())
x.grad = None
y[0].sum().backward()
print(x.grad)
try:
    y = T.apply(x.clone())
    y.mul_(2)
    print(y)
except RuntimeError as e:
    print(type(e).__name__)
Detach = build(lambda ctx, x: x.detach())
y = Detach.apply(x)
print(y.requires_grad, y.grad_fn, y.data_ptr() == x.data_ptr())
Twice = build(lambda ctx, x: (x * 2,) * 2, lambda ctx, a, b: a + b)
a, b = Twice.apply(x)
print(a is b, a.grad_fn is b.grad_fn, a.output_nr, b.output_nr)
x.grad = None
(a + b).sum().backward()
print(x.grad)
List = build(lambda ctx, x: [x * 2, x * 3], lambda ctx, *g: sum(g))
try:
    print(List.apply(x))
except Exception as e:
    print(type(e).__name__)
Int = build(lambda ctx, x: x.long())
y = Int.apply(x)
print(y, y.requires_grad)
Const = build(lambda ctx, x: torch.ones(2), lambda ctx, g: torch.full((2, 2), g.sum().item()))
y = Const.apply(x)
print(y, y.requires_grad)
x.grad = None
y.sum().backward()
print(x.grad)
Leaf = build(lambda ctx, x: 7)
try:
    print(Leaf.apply(x))
except Exception as e:
    print(type(e).__name__)
