"""Storage objects: typed and untyped."""

import warnings

import torch

warnings.simplefilter("ignore")  # storage() is deprecated, and says so once a process

x = torch.arange(6, dtype=torch.int16).view(2, 3)
u = x.untyped_storage()
print(type(u).__name__, len(u), u.nbytes(), u.size(), u.device, u[0], u[2])
t = x.storage()
print(type(t).__name__, len(t), t.dtype, t[1], t.tolist(), t.size(), t.nbytes())
print(x[1].storage().tolist(), x[1].storage_offset(), x[1].untyped_storage().nbytes())
print(
    x.untyped_storage().data_ptr() == x[1].untyped_storage().data_ptr(),
    x.data_ptr() - x.untyped_storage().data_ptr(),
    x[1].data_ptr() - x.untyped_storage().data_ptr(),
)
t[0] = 9
print(x)
t.fill_(4)
print(x, x._version)
f = torch.zeros(3)
print(f.storage().dtype, f.untyped_storage().tolist(), f.element_size(), f.nbytes, f.itemsize)
print(f.untyped_storage().is_cuda, f.storage().device, f.untyped_storage().resizable())
e = torch.zeros(1).expand(5)
print(e.untyped_storage().nbytes(), e.stride(), e.storage().tolist())
c = f.untyped_storage().clone()
print(c.nbytes(), c.data_ptr() == f.untyped_storage().data_ptr())
print(x.is_set_to(x), x.is_set_to(x.view(6)), x.is_set_to(x.view(2, 3)))
