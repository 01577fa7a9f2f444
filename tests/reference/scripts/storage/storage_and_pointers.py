"""Who shares memory with whom: data_ptr, storage_offset, untyped_storage, element_size."""
import torch

x = torch.arange(10, dtype=torch.float64)
v = x[3:7]
print(v.data_ptr() - x.data_ptr(), v.storage_offset(), v.element_size(), v.itemsize, v.nbytes)
print(x.untyped_storage().data_ptr() == v.untyped_storage().data_ptr(), x.untyped_storage().nbytes())
print(x.untyped_storage().size(), v.untyped_storage().nbytes())
n = x.numpy()
n[0] = 50
print(x[0], torch.from_numpy(n).data_ptr() == x.data_ptr())
y = x.view(2, 5)
print(y.T.data_ptr() == x.data_ptr(), y[1].storage_offset(), y[:, 2].storage_offset(), y[1, 1:].storage_offset())
print(y.clone().data_ptr() == y.data_ptr(), y.contiguous().data_ptr() == y.data_ptr())
print(y.T.contiguous().data_ptr() == y.data_ptr(), y.to(torch.float64).data_ptr() == y.data_ptr())
print(y.flatten().data_ptr() == y.data_ptr(), y.T.flatten().data_ptr() == y.data_ptr())
print(y.squeeze(0).data_ptr() == y.data_ptr(), y[None].data_ptr() == y.data_ptr(), y.expand(3, 2, 5).data_ptr() == y.data_ptr())
print(y[[0]].data_ptr() == y.data_ptr(), y[y > 1].data_ptr() == y.data_ptr(), y[0:1].data_ptr() == y.data_ptr())
print(y.stride(), y.stride(0), y.stride(-1), y.T.stride(), y[:, ::2].stride(), torch.tensor(1).stride())
p = torch.nn.Parameter(torch.zeros(3))
print(p.data.data_ptr() == p.data_ptr(), p.detach().data_ptr() == p.data_ptr())


def same_storage(a, b):
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


print(same_storage(x, y), same_storage(x, x + 0), same_storage(v, y.T))
before = p.data_ptr()
with torch.no_grad():
    p.add_(1)
print(p.data_ptr() == before)
p.data = p.data + 1
print(p.data_ptr() == before)
