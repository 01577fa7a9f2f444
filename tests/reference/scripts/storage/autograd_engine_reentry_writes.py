"""Backward inside writes inside hooks inside backward."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
log = []


def hook(g):
    with torch.enable_grad():
        a = torch.ones(2, requires_grad=True)
        b = a * 2
        b[0] = 5
        b.sum().backward()
    log.append(a.grad.tolist())
    return g * a.grad


y = x * 3
y.register_hook(hook)
y.sum().backward()
print(log, x.grad)
x.grad = None
buf = torch.zeros(2)
y = x * 3
y.register_hook(lambda g: buf.add_(g) and None if False else (buf.add_(g), None)[1])
(y**2).sum().backward()
print(buf, buf.requires_grad, x.grad)
x.grad = None


def modify(g):
    g = g.clone()
    g[0] = 100
    return g


z = x * 1
h = z.register_hook(modify)
z.sum().backward()
print(x.grad)
h.remove()
x.grad = None
z = x * 1
z.register_hook(lambda g: g.masked_fill(torch.tensor([True, False]), 0.0))
z.sum().backward()
print(x.grad)
x.grad = None
x.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(10))
(x * 2).sum().backward()
print(x.grad)
(x * 2).sum().backward()
print(x.grad)
w = torch.ones(2, requires_grad=True)


def sgd(p):
    with torch.no_grad():
        p.sub_(p.grad, alpha=0.1)
    p.grad = None


w.register_post_accumulate_grad_hook(sgd)
for _ in range(2):
    (w**2).sum().backward()
print(w, w.grad, w._version)
u = torch.ones(2, requires_grad=True)
v = u * 2


def bad(g):
    u.data.zero_()


v.register_hook(bad)
(v * v).sum().backward()
print(u, u.grad)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g = g.clone()
        g[x > 0.5] = 0
        g += x
        return g


r = torch.tensor([0.2, 0.9], requires_grad=True)
F.apply(r).sum().backward()
print(r.grad)
(g1,) = torch.autograd.grad((r**3).sum(), r, create_graph=True)
g1.add_(1)
print(g1, g1.grad_fn)
g1.sum().backward()
print(r.grad)
