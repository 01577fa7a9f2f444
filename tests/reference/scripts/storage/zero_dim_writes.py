"""0-d tensors: in place, views, indexing."""

import torch

s = torch.tensor(2.0, requires_grad=True)
y = s * 3
y += 1
print(y, y.grad_fn, y.item(), y._version)
y[()] = 5
print(y, y.grad_fn)
y[...] = s * 2
print(y, y.grad_fn)
y.backward()
print(s.grad)
for bad in (
    lambda: y[0],
    lambda: y[:],
    lambda: y.view(2),
    lambda: len(y),
    lambda: list(y),
    lambda: y.expand(2).add_(1),
    lambda: s.add_(1),
    lambda: y.unbind(),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
print(
    y[None],
    y[..., None, None].shape,
    y[True].shape,
    y.view(1),
    y.reshape(-1),
    y.unsqueeze(0)._base is y,
    y.expand(3).stride(),
)
v = torch.arange(3.0)
e = v[1]
print(e, e._base is v, e.storage_offset(), e.stride(), e.dim())
e.mul_(10)
e += 5
print(v, v._version)
v[0] = e
v[e > 0] = 1.0 if False else v[e > 0]
print(v)
n = v.sum()
n[n > 3] = -1
print(n)
i = torch.tensor(1)
print(v[i], v[i]._is_view(), v[i:], v[: i + 1], v[torch.tensor(True)].shape)
v[i] = 0
i += 1
print(v, i, int(i), [10, 20, 30][i], list(range(3))[i:])
z = torch.zeros(())
z.copy_(torch.tensor([4.0]).squeeze())
print(
    z,
    z.fill_(3),
    z.stride(),
    z.is_contiguous(),
    z.numel(),
    z.size(),
    z.nelement(),
    z.T if False else z.flatten().shape,
)
acc = torch.tensor(0.0)
w = torch.tensor([1.0, 2.0], requires_grad=True)
for t in w:
    acc += t**2
print(acc, acc.grad_fn, acc._version)
acc.backward()
print(w.grad)
