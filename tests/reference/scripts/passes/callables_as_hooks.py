"""Hooks that are partials, methods, classes, coroutines, and what handles do."""
import functools
import torch


class Recorder:
    def __init__(self, scale):
        self.scale, self.seen = scale, []

    def method(self, g):
        self.seen.append(g.clone())
        return g * self.scale

    def __call__(self, g):
        return g + self.scale

    @staticmethod
    def static(g):
        return g * 5

    @classmethod
    def cls_hook(cls, g):
        return g - 1


x = torch.tensor([1.0, 2.0], requires_grad=True)
r = Recorder(10.0)
handles = [x.register_hook(h) for h in (r.method, r, Recorder.static, Recorder.cls_hook, functools.partial(torch.mul, 2.0), torch.neg, torch.Tensor.abs)]
(x * 1).sum().backward()
print(x.grad, r.seen, [type(h).__name__ for h in handles], len({h.id for h in handles}))
for h in handles[::2]:
    h.remove()
x.grad = None
(x * 1).sum().backward()
print(x.grad)
for h in handles:
    h.remove()
x.grad = None
(x * 1).sum().backward()
print(x.grad)
with x.register_hook(lambda g: g * 100) as h:
    print(torch.autograd.grad((x * 1).sum(), x))
print(torch.autograd.grad((x * 1).sum(), x))


def generator_hook(g):
    yield g


async def coroutine_hook(g):
    return g


for bad in (generator_hook, print, lambda g: True, lambda g: [g], lambda g: g.tolist(), lambda g: g.numpy(), dict, lambda *a: a[0] * 2, lambda g, k=3: g * k):
    h = x.register_hook(bad)
    try:
        print(torch.autograd.grad((x * 1).sum(), x)[0].tolist())
    except Exception as e:
        print(type(e).__name__)
    h.remove()
order = []
first = x.register_hook(lambda g: order.append(1))
second = x.register_hook(lambda g: (order.append(2), third.append(x.register_hook(lambda g: order.append(3)))) and None)
third = []
torch.autograd.grad((x * 1).sum(), x)
torch.autograd.grad((x * 1).sum(), x)
print(order)
[h.remove() for h in (first, second, *third)]
self_removing = x.register_hook(lambda g: self_removing.remove())
torch.autograd.grad((x * 1).sum(), x)
y = x * 2
y.register_hook(lambda g: y.register_hook(lambda g: order.append("late")) and None)
order.clear()
y.sum().backward(retain_graph=True)
y.sum().backward()
print(order)
import copy
import weakref
w = weakref.ref(r)
h = x.register_hook(r)
del r, handles
print(w() is not None)
h.remove()
