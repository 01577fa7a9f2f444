"""What keeps saved tensors, contexts and hooks alive."""
import gc
import weakref
import torch


class Thing:
    pass


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, thing):
        ctx.thing = thing
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2, None


x = torch.ones(2, requires_grad=True)
t = Thing()
r = weakref.ref(t)
y = F.apply(x, t)
del t
gc.collect()
print(r() is not None)
y.sum().backward()
gc.collect()
print(r() is not None)
del y
gc.collect()
print(r() is None)
a = torch.ones(3)
ra = weakref.ref(a)
z = x.sum() * a
del a
gc.collect()
z.sum().backward()
print(z.grad_fn is not None)
big = x * 1
rb = weakref.ref(big)
out = big.exp()
del big
print(rb() is None)
hooked = x * 3
cell = Thing()
rc = weakref.ref(cell)
hooked.register_hook(lambda g, c=cell: None)
del cell
gc.collect()
print(rc() is not None)
del hooked
gc.collect()
print(rc() is None)
w = x * 5
w.grad_fn.metadata["thing"] = note = Thing()
rn = weakref.ref(note)
del note
print(rn() is not None)
del w
gc.collect()
print(rn() is None)
leaf = torch.ones(1, requires_grad=True)
v = leaf * 2
acc1 = v.grad_fn.next_functions[0][0]
print((leaf * 3).grad_fn.next_functions[0][0] is acc1)
chain = leaf
for _ in range(2000):
    chain = chain * 1.0
del chain
gc.collect()
print("freed")
g = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)[0]
rg = weakref.ref(g)
del g
gc.collect()
print(rg() is None)
base = torch.ones(2, 2)
view = base[0]
wb = weakref.ref(base)
del base
gc.collect()
print(wb() is not None, view._base is wb())
loop = torch.ones(1, requires_grad=True)
loss = (loop ** 2).sum()
wl = weakref.ref(loss)
loss.backward()
del loss
print(wl() is None, loop.grad)
