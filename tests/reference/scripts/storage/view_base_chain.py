"""_base is the tensor that owns the memory, however many views lie between."""
import torch

x = torch.arange(12.0)
v1 = x.view(3, 4)
v2 = v1[1:]
v3 = v2.t()
v4 = v3[0]
for v in (v1, v2, v3, v4):
    print(tuple(v.shape), v.stride(), v.storage_offset(), v._is_view(), v._base is x)
print(x._base, x._is_view())
print(v4)
v4[0] = 100
print(x)
print([t._version for t in (x, v1, v2, v3, v4)])
y = v3.contiguous()
print(y._is_view(), y._base, y.stride())
print(v1.contiguous() is v1)
c = v1.clone()
print(c._is_view())
r = v3.reshape(-1)
print(r._is_view(), r.data_ptr() == v3.data_ptr())
r2 = v1.reshape(4, 3)
print(r2._is_view(), r2._base is x)
d = v4.detach()
print(d._is_view(), d._base is x, d._version)
d.add_(1)
print(v4, x._version)
g = torch.ones(3, requires_grad=True)
h = g * 2
k = h[1:]
print(k._base is h, k.grad_fn.name(), k.is_leaf)
print(k.detach()._is_view(), k.detach()._base is h)
print(k.data._is_view(), k.data._base)
