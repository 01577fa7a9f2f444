"""The history of views is rebuilt when a sibling or the base is written to."""
import torch

x = torch.arange(6.0, requires_grad=True)
y = x * 1
a = y.view(2, 3)
b = a[0]
c = a.t()
print([t.grad_fn.name() for t in (a, b, c)])
b.mul_(2)
print([t.grad_fn.name() for t in (y, a, b, c)])
print(c)
c.sum().backward()
print(x.grad)
x.grad = None
y = x * 1
a = y.view(2, 3)
y[0] = 100
print(a.grad_fn.name(), a.grad_fn.next_functions[0][0].name())
a.sum().backward()
print(x.grad)
y = x * 1
v = y[1:4]
before = v.grad_fn
v.zero_()
print(before is v.grad_fn, v.grad_fn.name(), y.grad_fn.next_functions[0][0].name())
w = y[2:]
print(w.grad_fn.name(), w)
