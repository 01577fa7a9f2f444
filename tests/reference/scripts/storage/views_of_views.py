"""A view of a view has the first tensor as its base."""

import torch

a = torch.arange(12.0, requires_grad=True)
b = a * 1
v = b.view(3, 4)
w = v[1:]
u = w.t()
s = u[2]
for n, t in dict(b=b, v=v, w=w, u=u, s=s).items():
    print(
        n, t._is_view(), t._base is b, t.grad_fn, t.shape, t.stride(), t.storage_offset(), t.is_leaf
    )
s.mul_(10)
for n, t in dict(b=b, v=v, w=w, u=u, s=s).items():
    print(n, t._version, t.grad_fn, t.tolist())
b.sum().backward()
print(a.grad)
print((s.data_ptr() - b.data_ptr()) // b.element_size())
print(w.data_ptr() == b[4:].data_ptr(), u.data_ptr() == w.data_ptr())
a.grad = None
b = a * 1
v = b.view(3, 4)
b.mul_(3)
print(v.grad_fn, v)
v.sum().backward()
print(a.grad)
