"""Several tensors over one storage by set_, as_strided and numpy; versions and values."""

import torch
import numpy as np

base = np.arange(12, dtype=np.float64)
t = torch.from_numpy(base)
a = t.view(3, 4)
b = torch.empty(0, dtype=torch.float64).set_(t)
c = torch.empty(0, dtype=torch.float64).set_(t.untyped_storage(), 4, (4,), (2,))
d = t.as_strided((2, 2), (6, 1), 2)
e = torch.as_tensor(base[::3])
f = (
    torch.frombuffer(bytearray(base.tobytes()), dtype=torch.float64)
    if hasattr(torch, "frombuffer")
    else t.clone()
)
for name, v in dict(t=t, a=a, b=b, c=c, d=d, e=e).items():
    print(
        name,
        tuple(v.shape),
        v.stride(),
        v.storage_offset(),
        v._is_view(),
        v._version,
        v.data_ptr() - t.data_ptr(),
    )
a[0] = -1
b[4] = 100
c[1:] += 0.5
d.t()[1].neg_()
e[-1] = 77
base[11] = 5
print(t, base.tolist())
print([v._version for v in (t, a, b, c, d, e)])
print(c, d, e, a.sum().item(), f.sum().item())
t.resize_(6)
print(t, a.shape, b.shape)
t.resize_(3, 4)
print(t[2], t._version)
g = t.clone()
g.set_(a)
print(g.is_set_to(a), g.shape, g._version)
g.set_()
print(g.numel(), g.shape)
h = torch.zeros(4)
k = h.view(2, 2)
h.set_(torch.arange(4.0))
print(h, k)
k.fill_(9)
print(h, k, k._version, h._version)
m = torch.zeros(2, 3)
m.data = torch.ones(3, 2)
n = m.view(-1)
m.data[0] = 5
print(m, n)
o = torch.arange(6.0)
p = o[2:]
o.unsqueeze_(0)
print(o.shape, p, p._base is o, p._base.shape)
p.mul_(0)
print(o)
