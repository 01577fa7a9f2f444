"""Training without nn or optim: tensors, no_grad and -=."""

import torch

torch.manual_seed(2)
X = torch.randn(10, 3)
true = torch.tensor([1.0, -2.0, 0.5])
y = X @ true + 0.3
w = torch.zeros(3, requires_grad=True)
b = torch.zeros((), requires_grad=True)
for i in range(30):
    loss = ((X @ w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.2 * w.grad
        b -= 0.2 * b.grad
        w.grad.zero_()
        b.grad = None
    if i % 10 == 0:
        print(i, loss, w._version)
print(w, b)
try:
    w -= 1
except RuntimeError as err:
    print(type(err).__name__, "leaf Variable that requires grad" in str(err))
w = w - 0.1
print(w.is_leaf, w.grad_fn is not None)
