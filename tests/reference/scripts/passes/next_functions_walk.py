"""Walking a graph through next_functions."""
import torch
from torch import nn


def walk(fn, depth=0, out=None):
    out = [] if out is None else out
    if fn is None:
        out.append((depth, None))
        return out
    out.append((depth, fn.name(), len(fn.next_functions)))
    for nxt, i in fn.next_functions:
        walk(nxt, depth + 1, out)
    return out


x = torch.ones(2, 3)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2, bias=False), nn.Softmax(dim=-1))
for line in walk(net(x).log().mean().grad_fn):
    print(line)
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0], requires_grad=True)
for expr in (a * b + 1, (a - b) / a, torch.cat([a, b, torch.ones(1)]), a.max(0)[0], a * torch.ones(2),
             torch.stack([a, a.detach()]), a[0] * 2, torch.where(a > 1, a, b), a.split(1)[1], a.norm(), a.std()):
    print(walk(expr.grad_fn))
u = a.unbind()
print(u[1].grad_fn, u[1].grad_fn.next_functions[0][0].name(), u[0].output_nr, u[1].output_nr)
c = u[1] * u[0]
print([i for _, i in c.grad_fn.next_functions], c.grad_fn.next_functions[0][0] is c.grad_fn.next_functions[1][0])
print(type(c.grad_fn.next_functions), type(c.grad_fn.next_functions[0]))
acc = (a * 1).grad_fn.next_functions[0][0]
print(acc, acc.next_functions, acc.variable, type(acc).__name__)
print((a * 1).grad_fn.next_functions[0][0] is (a + b).grad_fn.next_functions[0][0])
print(a.grad_fn, b.grad_fn, (a * b).grad_fn == (a * b).grad_fn)
y = a.clone()
before = y.grad_fn
y.mul_(2)
print(before, y.grad_fn, y.grad_fn.next_functions[0][0] is before)
y[0] = 0
print(walk(y.grad_fn))
