"""Who keeps the graph alive."""
import gc
import weakref
import torch


class Payload:
    pass


def tracked():
    p = Payload()
    ref = weakref.ref(p)
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.grad_fn.metadata["p"] = p
    return x, y, ref


x, y, ref = tracked()
del y
gc.collect()
print(ref() is None)
x, y, ref = tracked()
z = y + 1
del y
gc.collect()
print(ref() is None)
z.sum().backward()
gc.collect()
print(ref() is None)
del z
gc.collect()
print(ref() is None)
a = torch.ones(2, requires_grad=True)
r = weakref.ref(a)
b = a.exp()
del a
gc.collect()
print(r() is None, b.grad_fn.next_functions[0][0].variable)
b.sum().backward()
print(b.grad_fn.next_functions[0][0].variable.grad)
t = torch.ones(3)
wr = weakref.ref(t)
v = t.view(3, 1)
del t
gc.collect()
print(wr() is None, v._base)
m = torch.ones(2, requires_grad=True)
n = m * 2
fn = n.grad_fn
wn = weakref.ref(n)
del n
print(wn() is None, fn.name(), fn.next_functions[0][0].variable is m)
hooked = torch.ones(1, requires_grad=True)
cell = Payload()
wc = weakref.ref(cell)
h = hooked.register_hook(lambda g, c=cell: None)
del cell
gc.collect()
print(wc() is None)
h.remove()
del h
gc.collect()
print(wc() is None)
