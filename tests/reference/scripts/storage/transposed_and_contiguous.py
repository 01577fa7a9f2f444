"""Strides of transposes, what view() can and cannot do, contiguous()."""
import torch

x = torch.arange(24).view(2, 3, 4)
for name, t in {
    "x": x,
    "transpose": x.transpose(0, 2),
    "permute": x.permute(1, 2, 0),
    "T of 2d": x[0].T,
    "mT": x.mT,
    "t": x[0].t(),
    "slice": x[:, ::2, 1:],
    "select": x.select(1, 2),
    "narrow": x.narrow(2, 1, 2),
    "movedim": x.movedim(0, -1),
    "swapaxes": x.swapaxes(0, 1),
    "swapdims": x.swapdims(1, 2),
    "unsqueeze": x.unsqueeze(1),
    "flip": x.flip(0),
    "diagonal": x.diagonal(dim1=1, dim2=2),
    "expand": x[:1].expand(2, 3, 4),
    "adjoint": x.adjoint(),
}.items():
    print(name, tuple(t.shape), t.stride(), t.storage_offset(), t.is_contiguous(), t.sum().item())
y = x.transpose(1, 2)
try:
    y.view(-1)
except RuntimeError as e:
    print("view size is not compatible" in str(e), "reshape" in str(e))
print(y.view(2, 2, 2, 3).shape)
print(y.reshape(-1)[:5], y.contiguous().view(-1)[:5])
print(y.flatten().shape, x.flatten(1).shape, x.flatten(0, 1).shape, x.unflatten(2, (2, 2)).shape)
print(torch.zeros(0, 3).view(3, 0).shape, torch.tensor(1).view(1, 1).shape)
for bad in [(5,), (-1, -1), (-1, 5), (2, 3, 5)]:
    try:
        x.view(bad)
    except RuntimeError as e:
        print(bad, type(e).__name__, str(e)[:28])
print(x.is_contiguous(), x.t is not None)
try:
    x.t()
except RuntimeError as e:
    print("t() expects a tensor with <= 2 dimensions" in str(e))
