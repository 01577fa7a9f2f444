"""Deep chains of views: base, offset, gradient."""

import torch

x = torch.arange(120.0, dtype=torch.float64).requires_grad_()
v = x * 1
b = v
chain = [
    lambda t: t.view(2, 3, 4, 5),
    lambda t: t.transpose(1, 3),
    lambda t: t[1:],
    lambda t: t.squeeze(0),
    lambda t: t[::2],
    lambda t: t.permute(2, 0, 1),
    lambda t: t.unsqueeze(1),
    lambda t: t[..., 1:3],
    lambda t: t.diagonal(0, 0, 2),
    lambda t: t.movedim(-1, 0),
    lambda t: t.narrow(0, 1, 1),
    lambda t: t.expand(2, *t.shape[1:]),
    lambda t: t[0],
    lambda t: t.flatten() if t.is_contiguous() else t.t(),
    lambda t: t[0],
]
for k, f in enumerate(chain):
    v = f(v)
    print(k, tuple(v.shape), v.stride(), v.storage_offset(), v._base is b, v.grad_fn.name())
print(v)
v.sum().backward()
print(x.grad.nonzero().flatten())
w = b.view(-1)
for _ in range(50):
    w = w.view(12, 10).view(120)
print(w._base is b, w.grad_fn.name())
w.mul_(2)
print(b[:3], b.grad_fn.name(), w.grad_fn.name())
u = b
for _ in range(200):
    u = u[:-1] if len(u) > 1 else u
print(u.shape, u._base is b, u.storage_offset())
u.zero_()
print(b[:2], b._version)
x.grad = None
b.sum().backward()
print(x.grad[:3], x.grad[-1])
depth = 0
n = u.grad_fn
while n is not None:
    depth += 1
    n = n.next_functions[0][0] if n.next_functions else None
print(depth > 1)
