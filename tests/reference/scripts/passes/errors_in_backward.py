"""Passes that fail midway, and what can be done afterwards."""
import torch


class Fails(torch.autograd.Function):
    fail = True

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        if Fails.fail:
            raise ArithmeticError("on purpose")
        return g * 2


a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
y = (Fails.apply(a) * 3).sum() + (b * 5).sum()
try:
    y.backward()
except ArithmeticError as e:
    print(type(e).__name__, e.args, a.grad)
Fails.fail = False
fresh = Fails.apply(a).sum()
fresh.backward()
print(a.grad)
c = torch.ones(1, requires_grad=True)
h = c.register_hook(lambda g: 1 / 0)
z = (c * 2).exp()
for k in range(2):
    try:
        z.backward(retain_graph=True)
    except ZeroDivisionError as e:
        print(k, type(e).__name__, c.grad)
h.remove()
z.backward()
print(c.grad)
d = torch.ones(1, requires_grad=True)
d.register_post_accumulate_grad_hook(lambda p: [][0])
try:
    (d * 2).backward()
except IndexError:
    print("post", d.grad)
try:
    with torch.no_grad():
        (d * 2).backward()
except RuntimeError:
    print(torch.is_grad_enabled(), d.grad)
e = torch.ones(2, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: {}["missing"]):
    q = e.exp()
try:
    q.sum().backward()
except KeyError as err:
    print(type(err).__name__, e.grad)
try:
    with torch.autograd.graph.saved_tensors_hooks(lambda t: {}["missing"], lambda t: t):
        e.exp()
except KeyError:
    r = e.exp()
    r.sum().backward()
    print(e.grad)


class Interrupt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise StopIteration


try:
    Interrupt.apply(e).sum().backward()
except BaseException as err:
    print(type(err).__name__)
f = torch.ones(2, requires_grad=True)
try:
    torch.autograd.backward([f.sum(), (f * 2)])
except RuntimeError:
    print(f.grad)
try:
    torch.autograd.grad(f.sum(), [f, torch.ones(1)])
except RuntimeError as err:
    print(type(err).__name__, f.grad)
