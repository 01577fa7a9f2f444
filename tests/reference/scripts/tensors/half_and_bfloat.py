"""Low precision: rounding, printing, gradients."""

import torch

h = torch.tensor([0.1, 1000.1, 65504.0, 1e-8], dtype=torch.float16)
b = torch.tensor([0.1, 1000.1, 1e38, 1e-8], dtype=torch.bfloat16)
print(h, b)
print(h * 2, b + b, h.float(), b.double(), h.sum(), (h[:2] / 3))
print(h.item if False else h[0].item(), b[0].item(), (h[:1] + b[:1]).dtype, (h + 1.5).dtype, (b * torch.ones(4)).dtype)
x = torch.tensor([1.5, 2.5], dtype=torch.float16, requires_grad=True)
(x * x).sum().backward()
print(x.grad, x.grad.dtype)
y = torch.tensor([1.5, 2.5], dtype=torch.bfloat16, requires_grad=True)
(y.exp() * 2).sum().backward()
print(y.grad)
print(torch.tensor([1.0], dtype=torch.float16) + 1e-4, torch.tensor([2048.0], dtype=torch.float16) + 1, torch.ones(3, dtype=torch.bfloat16).mean(), torch.arange(3, dtype=torch.bfloat16))
print(h.to(torch.bfloat16), torch.zeros(2, dtype=torch.bfloat16), torch.full((2,), 1 / 3, dtype=torch.float16))
