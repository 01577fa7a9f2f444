"""Copies and saving of views keep shared storage."""

import torch, copy, io, pickle

x = torch.arange(6.0).view(2, 3)
v = x[1]
a, b = copy.deepcopy((x, v))
b.zero_()
print(a, b, a.data_ptr() + 12 == b.data_ptr(), x)
c = copy.deepcopy(v)
print(c, c.storage_offset(), c.untyped_storage().nbytes(), c._is_view(), c._base)
buffer = io.BytesIO()
torch.save({"x": x, "v": v}, buffer)
buffer.seek(0)
d = torch.load(buffer)
d["v"].fill_(7)
print(d["x"], d["v"].storage_offset(), d["v"]._is_view())
p = pickle.loads(pickle.dumps([x, v, x.t()]))
p[0][0] = -1
print(p[1], p[2], p[2].stride())
w = torch.ones(2, requires_grad=True)
w.grad = torch.full((2,), 3.0)
e = copy.deepcopy(w)
print(e, e.grad, e.grad is w.grad, e.requires_grad, e.is_leaf, e._version)
f = copy.copy(w)
print(f is w, f.requires_grad, f.data_ptr() == w.data_ptr())
g = pickle.loads(pickle.dumps(w))
print(g, g.grad, g.requires_grad)
n = torch.nn.Parameter(torch.zeros(2))
m = copy.deepcopy(n)
print(type(m).__name__, m)
try:
    copy.deepcopy(w * 2)
except RuntimeError:
    print("RuntimeError")
try:
    pickle.dumps(w * 2)
    print("pickled")
except RuntimeError:
    print("RuntimeError")
h = (w * 2).detach()
print(copy.deepcopy(h))
memo = {}
print(copy.deepcopy([x, x], memo)[0] is copy.deepcopy([x, x], memo)[1], len(copy.deepcopy([x, x])))
s = copy.deepcopy(x.untyped_storage())
print(s.nbytes(), s.data_ptr() == x.untyped_storage().data_ptr())
