"""When reshape copies and when it does not."""
import torch

x = torch.arange(12.0).view(3, 4)
for name, y in {
    "reshape": x.reshape(4, 3), "flatten": x.flatten(), "ravel": x.ravel(), "t reshape": x.t().reshape(12), "t flatten": x.t().flatten(),
    "slice rows": x[1:].reshape(-1), "slice columns": x[:, 1:].reshape(-1), "expand": x[:1].expand(2, 4).reshape(-1), "same": x.reshape(3, 4),
    "contiguous": x.contiguous(), "t contiguous": x.t().contiguous(), "squeeze": x[None].squeeze(0), "view_as": x.view_as(torch.zeros(2, 6)),
    "reshape_as": x.reshape_as(torch.zeros(6, 2)), "unflatten": x.unflatten(1, (2, 2)), "to": x.to(torch.float32), "clone": x.clone(),
    "permute reshape": x.view(3, 2, 2).permute(1, 0, 2).reshape(6, 2), "narrow": x.narrow(0, 1, 1).reshape(2, 2), "double": x.double(),
}.items():
    shares = y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    print(name, tuple(y.shape), shares, y is x, y._base is x)
y = x.reshape(-1)
y[0] = 99
print(x[0, 0])
z = x.t().reshape(-1)
z[0] = -1
print(x[0, 0])
w = torch.ones(2, 3, requires_grad=True)
print(w.reshape(6).grad_fn.name(), w.t().reshape(6).grad_fn.name(), w.t().contiguous().grad_fn.name(), w.flatten().grad_fn.name())
