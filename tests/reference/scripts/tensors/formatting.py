"""format(), f-strings and % with tensors."""

import torch

x = torch.tensor(3.14159265)
n = torch.tensor(42)
b = torch.tensor(True)
print(f"{x:.2f} {x:8.3f} {x:e} {x}")
print(f"{n} {n:5d} {n:x} {n:04d}")
print(f"{b}", "%.3f" % x, "%d" % n, "%s" % n)
print("{:.4f}".format(x.item()), "{}".format(x), "{!r}".format(x))
loss = (torch.ones(3, requires_grad=True) * 2).sum()
print(f"loss: {loss.item():.4f}", f"{loss:.3f}")
print(f"{loss}")
v = torch.tensor([1.0, 2.0])
print(f"{v}")
try:
    print(f"{v:.2f}")
except TypeError as err:
    print(type(err).__name__, "unsupported format" in str(err))
try:
    print(f"{v.requires_grad_():.2f}")
except TypeError as err:
    print(type(err).__name__)
print(round(x.item(), 3), round(float(x), 2), int(x), float(n), complex(n))
