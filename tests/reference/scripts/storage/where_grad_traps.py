"""NaN gradients through where, and the double-where trick; maxima with ties; clamps."""

import torch

x = torch.tensor([-1.0, 0.0, 4.0], requires_grad=True)
y = torch.where(x > 0, x.sqrt(), torch.zeros(()))
print(y)
y.sum().backward()
print(x.grad)
x.grad = None
safe = torch.where(x > 0, x, torch.ones(()))
torch.where(x > 0, safe.sqrt(), torch.zeros(())).sum().backward()
print(x.grad)
x.grad = None
(x.sqrt()[x > 0]).sum().backward()
print(x.grad)
x.grad = None
x.clamp(min=0).sqrt().sum().backward()
print(x.grad)
x.grad = None
m = x.detach() > 0
out = torch.zeros(3)
out[m] = x[m].sqrt()
out.sum().backward()
print(out, x.grad)
x.grad = None
x.masked_fill(~m, 1.0).log().sum().backward()
print(x.grad)
for f in (
    lambda t: t.abs(),
    lambda t: t.relu(),
    lambda t: t.clamp(0, 4),
    lambda t: t.max().reshape(1),
    lambda t: torch.maximum(t, torch.zeros(3)),
    lambda t: torch.where(t == 0, t * 2, t),
    lambda t: t.sign(),
    lambda t: t * (t > 0),
    lambda t: t.pow(0),
    lambda t: t.pow(2),
    lambda t: (t * 0).exp(),
    lambda t: t.norm().reshape(1),
    lambda t: t.prod().reshape(1),
    lambda t: t.nan_to_num(),
):
    x.grad = None
    o = f(x)
    o.sum().backward()
    print(o.tolist(), x.grad.tolist(), o.grad_fn.name())
t = torch.tensor([2.0, 2.0, 1.0], requires_grad=True)
for f in (
    lambda t: t.max(),
    lambda t: t.amax(),
    lambda t: t.max(0).values,
    lambda t: t.sort(descending=True).values[0],
    lambda t: t.topk(1).values.sum(),
    lambda t: t.median(),
    lambda t: torch.maximum(t, t.flip(0)).sum(),
    lambda t: t.cummax(0).values.sum(),
    lambda t: t.min(),
    lambda t: t.kthvalue(2).values,
    lambda t: t.mode().values,
    lambda t: t[t.argmax()],
    lambda t: t.logsumexp(0),
):
    t.grad = None
    try:
        f(t).backward()
        print([round(v, 4) for v in t.grad.tolist()])
    except (RuntimeError, NotImplementedError) as e:
        print(type(e).__name__)
