"""Masks in every form: where, multiplication, masked_fill, index, masked_select, masked_scatter, boolean set."""

import torch

m = torch.tensor([[True, False, True], [False, True, False]])
x = torch.arange(1.0, 7.0).view(2, 3).requires_grad_()
v = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)
forms = [
    lambda: torch.where(m, x, v),
    lambda: x * m + v * ~m,
    lambda: x.masked_fill(~m, 0.0),
    lambda: x[m],
    lambda: x.masked_select(m),
    lambda: x.masked_scatter(m, v),
    lambda: x.index_put((m,), v),
    lambda: torch.where(m, x, 0.0),
    lambda: torch.where(m, 1.0, x),
    lambda: x.where(m, v),
    lambda: x * m.float(),
    lambda: x[m.any(1)],
    lambda: x[:, m[0]],
    lambda: x[m.nonzero(as_tuple=True)],
    lambda: x[m.nonzero()[:, 0], m.nonzero()[:, 1]],
    lambda: torch.masked_fill(x, m, v.sum()),
    lambda: x.clone().masked_fill_(m, 5),
    lambda: torch.stack([r[k] for r, k in zip(x, m)][:1]),
    lambda: x / (m + 1),
    lambda: x.masked_fill(m, float("-inf")).softmax(1),
    lambda: x.take(m.flatten().nonzero().squeeze(1)),
    lambda: torch.where(x > 3, x, x.detach()),
    lambda: x.lerp(torch.zeros(()), m.float()),
]
for f in forms:
    x.grad = v.grad = None
    y = f()
    (y * torch.arange(1.0, y.numel() + 1).view(y.shape)).sum().backward()
    print(
        y.detach().tolist(),
        y.grad_fn.name(),
        x.grad.tolist() if x.grad is not None else None,
        v.grad,
    )
y = x * 1
y[m] = v
y[~m] *= 2
print(y, y.grad_fn.name())
y.sum().backward()
z = x.detach().clone()
z[z > 2] = -1
z[m & (z < 0)] += 10
z[0][m[0]] = 99
print(
    z,
    z[m].shape,
    z[torch.zeros(2, 3, dtype=torch.bool)].shape,
    z[m].sum(),
    m.sum(),
    m.sum(0),
    m.any(),
    m.all(1),
    m.float().mean(),
    (~m).long(),
    m ^ True,
    m.logical_not(),
    m.nonzero(),
    torch.where(m),
)
for bad in [
    lambda: x[m[0]],
    lambda: x.masked_fill(m.int(), 0),
    lambda: torch.where(m.int(), x, v),
    lambda: x.masked_select(m[:, :2]),
    lambda: z.__setitem__(m, torch.ones(2)),
    lambda: x.masked_scatter(m, torch.ones(1)),
    lambda: if_(m) if False else bool(m),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
