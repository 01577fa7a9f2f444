"""How grad_fn of views changes when the base is written, and back."""

import torch

x = torch.ones(4, requires_grad=True)
b = x * 2
v = b[:2]
f0 = v.grad_fn
print(b.grad_fn, v.grad_fn)
v.mul_(3)
print(b.grad_fn, v.grad_fn, v.grad_fn is f0)
b.add_(1)
print(b.grad_fn, v.grad_fn)
print(v.grad_fn.next_functions[0][0], b.grad_fn.next_functions)
w = v.view(2, 1)
print(w.grad_fn)
w.exp_()
print(w.grad_fn, v.grad_fn, b.grad_fn)
print([type(n).__name__ for n, _ in w.grad_fn.next_functions])
b.sum().backward()
print(x.grad)
t = torch.zeros(4)
u = t.view(2, 2)
print(t.requires_grad, u.requires_grad, u.grad_fn)
u[0].copy_(x[:2])
print(t.requires_grad, u.requires_grad, t.grad_fn, u.grad_fn, u._base is t, t.is_leaf, u.is_leaf)
t.sum().backward()
print(x.grad)
s = u[0, 0]
print(s.grad_fn, s)
d = t.detach()[1:3]
d.zero_()
print(t, u, d.grad_fn, d.requires_grad, t._version)
k = x.expand(2, 4)
print(
    k.grad_fn.name(),
    k[0].grad_fn.name(),
    k[0, 1:].grad_fn.name(),
    k[..., None].grad_fn.name(),
    k.unbind()[0].grad_fn.name(),
    k.diagonal().grad_fn.name(),
    k.permute(1, 0).grad_fn.name(),
    k[[0]].grad_fn.name(),
    k.unfold(1, 2, 1).grad_fn.name(),
    k.narrow(0, 0, 1).grad_fn.name(),
    k.movedim(0, 1).grad_fn.name(),
    k.mT.grad_fn.name(),
    k.reshape(8).grad_fn.name(),
    k.flatten().grad_fn.name(),
)
