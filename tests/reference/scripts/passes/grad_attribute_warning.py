"""Reading .grad of something that is not a leaf warns."""
import warnings
import torch


def seen(f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        r = f()
    return r, [(i.category.__name__, "leaf" in str(i.message)) for i in w]


x = torch.ones(2, requires_grad=True)
y = x * 2
print(seen(lambda: x.grad))
print(seen(lambda: y.grad))
print(seen(lambda: y.detach().grad))
y.retain_grad()
print(seen(lambda: y.grad))
y.sum().backward()
print(seen(lambda: y.grad))
print(seen(lambda: (x * 3).grad))
print(seen(lambda: torch.ones(1).grad))
print(seen(lambda: torch.tensor(1).grad))
with torch.no_grad():
    z = x * 2
print(seen(lambda: z.grad), z.is_leaf)
with torch.inference_mode():
    i = x * 2
print(seen(lambda: i.grad), i.is_leaf, i.is_inference())
try:
    z.retain_grad()
except RuntimeError as e:
    print(type(e).__name__)
x.retain_grad()
print(x.retains_grad, y.retains_grad, z.retains_grad)
print(seen(lambda: repr(y)))
print(seen(lambda: hasattr(y * 1, "grad")))
