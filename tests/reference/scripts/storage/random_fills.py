"""uniform_, normal_, bernoulli_ and friends on views, leaves and masks."""

import torch

torch.manual_seed(1)
x = torch.zeros(2, 3)
x[0].uniform_()
print(x[0].min() >= 0, x[0].max() < 1, x[1], x._version)
x[:, 1].normal_(5, 0)
print(x[:, 1], x._version)
x.t()[2].fill_(7).bernoulli_(1.0)
print(x[:, 2])
w = torch.ones(2, requires_grad=True)
for name in ("uniform_", "normal_", "bernoulli_", "random_"):
    try:
        getattr(w, name)()
    except RuntimeError:
        print(name, "RuntimeError", w._version)
with torch.no_grad():
    w.uniform_(2, 2)
print(w, w._version)
y = w * 1
y.uniform_(3, 3)
print(y, y.grad_fn)
y.sum().backward()
print(w.grad)
y = w * 1
y[0].normal_(0, 0)
print(y.grad_fn, y)
w.grad = None
y.sum().backward()
print(w.grad)
print(
    torch.empty(3, dtype=torch.long).random_(5, 6),
    torch.zeros(3).bernoulli_(torch.tensor([0.0, 1.0, 1.0])),
    torch.zeros(2, dtype=torch.bool).bernoulli_(1.0),
)
for bad in (
    lambda: torch.zeros(2, dtype=torch.long).uniform_(),
    lambda: torch.zeros(2).uniform_(2, 1),
    lambda: torch.zeros(2).normal_(0, -1),
    lambda: torch.zeros(2).bernoulli_(2.0),
    lambda: torch.zeros(1).expand(3).uniform_(),
    lambda: torch.zeros(2).random_(5, 5),
    lambda: torch.zeros(2, dtype=torch.bool).normal_(),
):
    try:
        print(bad())
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__)
a, b = torch.empty(4), torch.empty(4)
torch.manual_seed(3)
a.uniform_()
torch.manual_seed(3)
b.copy_(torch.rand(4))
print(torch.equal(a, b))
g = torch.Generator().manual_seed(5)
print(
    torch.equal(
        torch.empty(4).normal_(generator=g),
        torch.randn(4, generator=torch.Generator().manual_seed(5)),
    )
)
mask = torch.rand(3, 3) > 0.5
z = torch.ones(3, 3)
z[mask] = torch.zeros(int(mask.sum()))
print(z.sum() == (~mask).sum())
print(
    torch.zeros_like(x).uniform_(1, 1),
    x.new_empty(2).fill_(3),
    torch.rand_like(x).shape,
    torch.nn.init.constant_(torch.empty(2), 4),
    torch.nn.init.eye_(torch.empty(2, 2)),
)
