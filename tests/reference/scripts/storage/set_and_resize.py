"""set_, resize_, resize_as_ and what becomes of values and strides."""

import torch

x = torch.arange(6.0)
print(x.resize_(2, 3), x._version)
print(x.resize_(2, 2), x.stride(), x.untyped_storage().nbytes())
x.resize_(6)
print(x)
print(x, x.shape)
y = torch.empty(0)
y.set_(x)
print(y, y.data_ptr() == x.data_ptr(), y._version)
y.zero_()
print(x)
e = torch.ones(3)
e.set_()
print(e, e.shape)
for bad in (
    lambda: torch.ones(3, requires_grad=True).resize_(2),
    lambda: torch.ones(3).set_(torch.ones(3, dtype=torch.double)),
    lambda: torch.ones(4)[:2].resize_(4),
    lambda: torch.ones(3).resize_(-1),
    lambda: torch.ones(2, requires_grad=True).set_(torch.ones(2)),
):
    try:
        print(bad())
    except Exception as ex:
        print(type(ex).__name__)
p = torch.ones(3, requires_grad=True)
p.data = torch.arange(2.0)
print(p, p.shape, p.is_leaf, p._version)
try:
    p.data = torch.arange(2)
except Exception as ex:
    print(type(ex).__name__)
q = p.clone()
try:
    q.resize_(4)
except Exception as ex:
    print(type(ex).__name__)
