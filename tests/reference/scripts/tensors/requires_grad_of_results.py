"""requires_grad of results, with modes and mixed inputs."""
import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2)
i = torch.tensor([0, 1])
print((a + b).requires_grad, (b + b).requires_grad, (a + a).requires_grad, (b * i).requires_grad, (a * i).requires_grad)
print((a > b).requires_grad, (a == a).dtype, a.argmax().requires_grad, a.sort().indices.requires_grad, a.sort().values.requires_grad)
print(a.sign().requires_grad, a.round().requires_grad, a.floor().grad_fn is not None, a.isnan().requires_grad, a.nonzero().requires_grad)
print(torch.where(a > 0, b, b).requires_grad, torch.where(a > 0, a, b).requires_grad)
print(b[i].requires_grad, a[i].requires_grad, a.index_select(0, i).requires_grad, torch.cat([b, a]).requires_grad)
with torch.no_grad():
    c = a * 2
    d = a.view(1, 2)
    e = torch.ones(1, requires_grad=True)
    print(c.requires_grad, d.requires_grad, e.requires_grad, e.is_leaf, torch.is_grad_enabled())
    with torch.enable_grad():
        f = a * 2
        print(f.requires_grad, f.grad_fn is not None)
    c.requires_grad_()
print(c.requires_grad, c.is_leaf)
with torch.set_grad_enabled(False):
    print((a * 2).requires_grad)
print(torch.set_grad_enabled(True), torch.is_grad_enabled())
@torch.no_grad()
def g(x):
    return x * 2
print(g(a).requires_grad, g.__name__)
b.requires_grad = True
print((b * 2).requires_grad)
b.requires_grad = False
print((b * 2).requires_grad)
b.add_(a)
print(b.requires_grad, b.is_leaf, type(b.grad_fn).__name__)
h = torch.zeros(2)
h[0] = a[1]
print(h, h.is_leaf)
try:
    k = torch.zeros(2, dtype=torch.int64)
    k[0] = a[1]
    print(k, k.requires_grad)
except Exception as err:
    print(type(err).__name__)
x, y = torch.ones(1, requires_grad=True), torch.ones(1)
out = torch.broadcast_tensors(x, y)
print([o.requires_grad for o in out], [o.requires_grad for o in torch.meshgrid(x, y, indexing="ij")])
print([t.requires_grad for t in torch.unbind(torch.stack([x, y]))], torch.atleast_1d(y).requires_grad)
print(y.requires_grad_(True) is y, y.requires_grad_(requires_grad=False).requires_grad)
