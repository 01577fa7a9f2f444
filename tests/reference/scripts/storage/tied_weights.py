"""Two names for one parameter: transposes, slices, shared modules."""

import torch
import torch.nn as nn

emb = nn.Embedding(3, 2)
dec = nn.Linear(2, 3, bias=False)
with torch.no_grad():
    emb.weight.copy_(torch.arange(6.0).view(3, 2))
dec.weight = emb.weight
print(dec.weight is emb.weight, dec.weight.data_ptr() == emb.weight.data_ptr())
out = dec(emb(torch.tensor([0, 2])))
print(out)
out.sum().backward()
print(emb.weight.grad, dec.weight.grad is emb.weight.grad)
with torch.no_grad():
    dec.weight[1].zero_()
print(emb.weight, emb.weight._version)
w = nn.Parameter(torch.arange(4.0).view(2, 2))
t = w.t()
print(t.is_leaf, t.grad_fn, t._base is w)
(w @ t).sum().backward()
print(w.grad)
w.data = w.data * 2
print(t, w)
with torch.no_grad():
    w.t_()
print(w, w.is_leaf, w.stride())
half = w[:1]
try:
    half.data.zero_()
    print(w)
    half.zero_()
except RuntimeError:
    print("RuntimeError")
net = nn.ModuleList([nn.Linear(1, 1)] * 3)
print(len(list(net.parameters())), sum(p.numel() for p in net.parameters()))
flat = torch.cat([p.reshape(-1) for p in nn.Linear(2, 2).parameters()])
print(flat.shape, flat.grad_fn is not None)
buf = torch.arange(6.0)
a, b = nn.Parameter(buf[:2]), nn.Parameter(buf[2:].view(2, 2))
print(a, b, a._base, a.data_ptr() == buf.data_ptr(), a.is_leaf, a._is_view())
(a.sum() * 2 + (b**2).sum()).backward()
with torch.no_grad():
    for p in (a, b):
        p -= p.grad * 0.5
print(buf, a._version, buf._version)
