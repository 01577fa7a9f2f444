"""expand against repeat: memory, gradients, writes to the source."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
e, r = x.expand(3, 2), x.repeat(3, 1)
print(
    e.stride(),
    r.stride(),
    e.untyped_storage().nbytes(),
    r.untyped_storage().nbytes(),
    torch.equal(e, r),
    e.grad_fn,
    r.grad_fn,
)
for t in (e, r):
    x.grad = None
    (t * torch.arange(6.0).view(3, 2)).sum().backward()
    print(x.grad)
y = x * 1
e = y.expand(3, 2)
y.mul_(10)
print(e, e.grad_fn)
e.sum().backward()
print(x.grad)
with torch.no_grad():
    x[0] = 100
print(x.expand(2, 2), r)
b = torch.ones(3, 1).expand(-1, 4)
print(
    b.shape,
    b.stride(),
    b.contiguous().stride(),
    b.reshape(12).stride(),
    b[:, 0].stride(),
    b[1:].storage_offset(),
    b.t().stride(),
)
try:
    b.view(12)
except RuntimeError:
    print("RuntimeError")
print(b.clone().add_(1)[0], b.sum(), b.mean(0), b.t().contiguous().is_contiguous())
s = torch.tensor(3.0).expand(2, 2)
print(s, s.stride(), s.sum(), s.numel(), s.element_size() * s.nelement())
bb = torch.broadcast_tensors(torch.arange(3), torch.arange(2)[:, None])
print(bb, [t.stride() for t in bb], [t._is_view() for t in bb])
m = torch.arange(3.0).expand(2, 3)
n = torch.zeros(2, 3)
n += m
n[:, 1] = m[0]
n.copy_(m)
print(
    n,
    (m + n).stride(),
    torch.stack([m, m]).stride(),
    torch.cat([m, m]).stride(),
    (m @ n.t()),
    m.unbind()[1],
    m.flatten(),
    m.unfold(1, 2, 1).stride(),
)
x.grad = None
h = x.expand(2, 2).clone()
h[0, 0] = 0
h.sum().backward()
print(x.grad)
u = torch.ones(2, 1, 3).expand(2, 5, 3)
print(
    u.squeeze(),
    u.expand(7, 2, 5, 3).shape,
    u.expand(2, 5, 3).stride(),
    u.permute(1, 0, 2).stride(),
    u[:, 2:4].stride(),
)
