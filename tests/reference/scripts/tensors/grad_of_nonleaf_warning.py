"""Reading .grad of a non-leaf warns and gives None; retain_grad cures it."""
import warnings
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(y.grad)
    print(len(caught), caught[0].category.__name__ if caught else "")
y.retain_grad()
print(y.retains_grad, x.retains_grad, y.grad)
(y ** 2).sum().backward()
print(y.grad, x.grad)
y.retain_grad()
z = x.detach()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(z.grad, (x.detach() * 2).grad)
    print(len(caught))
for t in (z, torch.ones(2), torch.ones(2) * 2):
    try:
        t.retain_grad()
        print("ok", t.retains_grad)
    except Exception as e:
        print(type(e).__name__)
x.retain_grad()
print(x.retains_grad)
w = x * 2
w.retain_grad()
w.retain_grad()
w.sum().backward()
print(w.grad)
w2 = x * 2
w2.retain_grad()
(w2 * 2).sum().backward()
try:
    (w2 * 3).sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
