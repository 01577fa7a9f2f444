"""Zero-dimensional tensors."""

import torch

x = torch.tensor(3.0, requires_grad=True)
print(x, x.shape, x.dim(), x.numel(), x.size(), x.item(), x[()], x[...], x[None])
y = x * 2 + 1
y.backward()
print(x.grad, x.grad.shape)
print(x.view(1), x.reshape(1, 1), x.unsqueeze(0), x.expand(2), x.t(), x.flatten(), x.squeeze())
for bad in (lambda: x[0], lambda: len(x), lambda: iter(x), lambda: x.size(0)):
    try:
        bad()
    except (IndexError, TypeError) as err:
        print(type(err).__name__)
print(x.sum(), x.mean(0), x.max(), torch.stack([x, x]), x.norm(), x.softmax(0))
try:
    torch.cat([x, x])
except RuntimeError as err:
    print(type(err).__name__, "zero-dimensional" in str(err))
v = torch.ones(3)
print((v * x).dtype, torch.dot(v, v), torch.dot(v, v).shape, torch.tensor(5) // 2, torch.tensor(5) % 3, 2 ** torch.tensor(3))
