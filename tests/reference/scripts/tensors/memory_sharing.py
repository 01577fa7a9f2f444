"""Which calls share memory with their argument, and what a write does to both."""
import numpy as np
import torch

t = torch.arange(6.0)
shares = {
    "view": t.view(2, 3), "reshape": t.reshape(2, 3), "slice": t[1:], "t[:]": t[:], "t[...]": t[...], "t[0]": t[0], "t[[0]]": t[[0]], "mask": t[t > -1],
    "clone": t.clone(), "detach": t.detach(), "data": t.data, "contiguous": t.contiguous(), "to same": t.to(torch.float32), "to double": t.double(),
    "tensor()": t.clone().detach(), "as_tensor": torch.as_tensor(t), "asarray": torch.asarray(t), "numpy": torch.from_numpy(t.numpy()),
    "expand": t.expand(2, 6), "flatten": t.flatten(), "ravel": t.ravel(), "unsqueeze": t.unsqueeze(0), "squeeze": t.squeeze(), "narrow": t.narrow(0, 0, 2),
    "index_select": t.index_select(0, torch.tensor([0])), "chunk": t.chunk(2)[0], "split": t.split(4)[0], "T": t.view(2, 3).T, "permute": t.view(2, 3).permute(1, 0),
    "reshape of T": t.view(2, 3).T.reshape(6), "repeat": t.repeat(1), "flip": t.flip(0), "roll": t.roll(0), "real": t.real, "diag": torch.diag(t.view(2, 3)), "diagonal": torch.diagonal(t.view(2, 3)),
    "unfold": t.unfold(0, 2, 1), "as_strided": t.as_strided((2,), (1,)), "select": t.select(0, 0), "movedim": t.view(2, 3).movedim(0, 1), "view_as": t.view_as(t), "cat": torch.cat([t]), "stack": torch.stack([t]),
    "broadcast_to": torch.broadcast_to(t, (1, 6)), "atleast_2d": torch.atleast_2d(t), "abs": t.abs(), "+t": +t, "positive": torch.positive(t), "where": torch.where(t > -1, t, 0), "copy": torch.zeros(6).copy_(t),
    "view dtype": t.view(torch.int32), "swapaxes": t.view(2, 3).swapaxes(0, 1), "unbind": t.unbind()[0], "hsplit": t.hsplit(2)[0], "tensor_split": t.tensor_split(2)[0], "take": t.take(torch.tensor([0])),
}
base = t.untyped_storage().data_ptr()
for name, v in shares.items():
    print(f"{name:14} {v.untyped_storage().data_ptr() == base!s:5} {v.storage_offset()} {tuple(v.stride())} {v._is_view()}")
a = np.arange(3.0)
x = torch.from_numpy(a)
y = torch.tensor(a)
x[0] = 10
a[1] = 20
print(a, x, y)
x = x + 1
print(a, x)
b = torch.ones(2)
c = b
c += 1
d = b
d = d + 1
print(b, c, d, b is c)
l = [b] * 2
l[0].mul_(5)
print(l, torch.stack(l))
