"""When a second backward through the same graph is allowed, and when it is not."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)

y = (x**2).sum()
y.backward()
try:
    y.backward()
except RuntimeError as e:
    print(
        "power:",
        "Trying to backward through the graph a second time" in str(e)
        or "backward through the graph a second time" in str(e),
    )

# additions save nothing, so nothing was freed
x.grad = None
z = (x + 1).sum()
z.backward()
z.backward()
print(x.grad)

x.grad = None
y = (x**3).sum()
for k in range(3):
    y.backward(retain_graph=k < 2)
    print(k, x.grad)

# a shared part is freed by the first of two losses
x.grad = None
h = x.exp()
a, b = h.sum(), (h * h).sum()
a.backward()
try:
    b.backward()
    print("second loss passed")
except RuntimeError as e:
    print("second loss:", type(e).__name__)
print(torch.isfinite(x.grad).all().item())
