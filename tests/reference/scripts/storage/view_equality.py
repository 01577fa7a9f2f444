"""Same storage, same pointer, same base: what each tells."""

import warnings

import torch

warnings.simplefilter("ignore")  # storage() is deprecated, and says so once a process

x = torch.arange(8.0).view(2, 4)
b = x._base
print(b is not None, b.shape, x._is_view(), b._is_view())
y = x[0]
z = x[0]
print(
    y is z,
    y.data_ptr() == z.data_ptr(),
    y._base is b,
    z._base is y._base,
    torch.equal(y, z),
    y.equal(z),
    hash(y) == hash(z),
    id(y) != id(z),
)
print(
    x[1].data_ptr() - x.data_ptr(),
    x[1, 2].data_ptr() - x.data_ptr(),
    x.t()[1].data_ptr() - x.data_ptr(),
    x[:, 1:].data_ptr() - x.data_ptr(),
)
print(
    x.untyped_storage() is x.untyped_storage(),
    x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr(),
    x.storage().data_ptr() == y.storage().data_ptr(),
    y.storage_offset(),
    x[1].storage_offset(),
    x[1, 1:].storage_offset(),
)
print(
    (x == x.clone()).all(),
    x is x,
    x.is_set_to(x),
    x.view(2, 4).is_set_to(x),
    x[:1].is_set_to(x[0]),
    x.t().is_set_to(x),
)
print(
    torch.allclose(x, x + 1e-9),
    torch.is_same_size(x, x),
    x.is_same_size(y),
    x.data_ptr() == x.data.data_ptr(),
    x.data_ptr() % x.element_size(),
)
w = torch.zeros(3)
d = w.detach()
e = w.view(3)
dd = d[1:]
print(d._base, e._base is w, dd._base is d, dd._base is w, d._is_view())
w.add_(1)
print(d, e, dd, [t._version for t in (w, d, e, dd)])
del w
print(e, e._base, e._base.shape)
s = torch.arange(6.0)[2:]
del_base = s._base
print(
    del_base,
    s.storage_offset(),
    s.untyped_storage().nbytes(),
    s.clone().untyped_storage().nbytes(),
    s.clone()._base,
)
p = torch.nn.Parameter(torch.zeros(4))
q = p[1:]
print(q._base is p, q.grad_fn, q.is_leaf, type(q).__name__, p.data._is_view(), p.view(2, 2).shape)
r = torch.arange(3.0, requires_grad=True)
print(
    r.requires_grad,
    r._is_view(),
    torch.arange(4.0).reshape(2, 2)._is_view(),
    torch.zeros(2, 2).flatten()._is_view(),
    torch.tensor([1.0]).expand(1)._is_view(),
    torch.stack([r])._is_view(),
    torch.cat([r])._is_view(),
    torch.atleast_2d(r)._is_view(),
    torch.broadcast_to(r, (2, 3))._is_view(),
    torch.broadcast_tensors(r, r)[0]._is_view(),
    torch.meshgrid(r, r, indexing="ij")[0]._is_view(),
    torch.Tensor.clone(r)._is_view(),
    torch.squeeze(r)._is_view(),
)
