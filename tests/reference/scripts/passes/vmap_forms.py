"""vmap: in_dims, out_dims, nesting, structures, refusals."""
import torch
from torch.func import vmap, grad

x = torch.arange(6.0).reshape(2, 3)
y = torch.arange(3.0)
print(vmap(torch.sum)(x), vmap(torch.sum, in_dims=1)(x), vmap(torch.sum, in_dims=-1)(x))
print(vmap(torch.dot, in_dims=(0, None))(x, y))
print(vmap(torch.mul, out_dims=1)(x, x), vmap(lambda a: (a, a.sum()), out_dims=(1, 0))(x))
print(vmap(lambda d: d["a"] + d["b"], in_dims=({"a": 0, "b": None},))({"a": x, "b": y}))
print(vmap(lambda a: {"s": a.sum(), "d": a * 2})(x))
print(vmap(vmap(lambda a: a ** 2))(x), vmap(vmap(torch.mul, (None, 0)), (0, None))(x[:, 0], y))
print(vmap(lambda a: torch.ones(2))(x), vmap(lambda a, k=2: a * k)(x), vmap(lambda a, k=2: a * k)(x, k=3))
print(vmap(grad(lambda a: (a ** 2).sum()))(x), vmap(grad(lambda w, a: (w * a).sum().sin()), (None, 0))(y, x))
print(vmap(lambda a: a.sort(descending=True)[0])(x), vmap(lambda a: torch.where(a > 2, a, -a))(x))
print(vmap(lambda a: a.softmax(0))(x), vmap(lambda a: a[1:])(x), vmap(lambda a: a.unsqueeze(0) @ a.unsqueeze(1))(x))
print(vmap(lambda a: a.shape[0] * torch.ones_like(a))(x), vmap(lambda a: torch.stack([a, y]))(x).shape)
print(vmap(lambda a: a.mean(), chunk_size=1)(x), vmap(lambda a: torch.cat([a, y[:1]]))(x))
for bad in (lambda: vmap(lambda a: a.item())(x), lambda: vmap(lambda a: 3)(x), lambda: vmap(torch.sum)(torch.tensor(1.0)),
            lambda: vmap(torch.add)(x, y), lambda: vmap(torch.add, in_dims=(0,))(x, x), lambda: vmap(torch.sum, in_dims=2)(x),
            lambda: vmap(torch.sum, in_dims=None)(x), lambda: vmap(torch.sum, out_dims=1)(x),
            lambda: vmap(torch.sum)(3.0), lambda: vmap(torch.sum)(),
            lambda: vmap(lambda a: torch.rand(2) + a[0])(x), lambda: vmap(torch.sum, in_dims="x")(x)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
torch.manual_seed(0)
r = vmap(lambda a: torch.rand(2), randomness="same")(x)
print(r[0].equal(r[1]), r.shape)
r = vmap(lambda a: torch.rand(2), randomness="different")(x)
print(r[0].equal(r[1]))
w = torch.ones(3, requires_grad=True)
out = vmap(lambda a: (a * w).sum() ** 2)(x)
print(out.detach(), out.requires_grad)
out.sum().backward()
print(w.grad)
