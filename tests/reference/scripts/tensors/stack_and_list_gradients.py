"""Building tensors from scalars and rows so that gradients flow, and where they do not."""

import torch

a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)
good = torch.stack([a, b, a * b])
good.sum().backward()
print(good, a.grad, b.grad)
bad = torch.tensor([a, b])
print(bad, bad.requires_grad)
a.grad = b.grad = None
rot = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
(rot @ torch.tensor([1.0, 0.0])).sum().backward()
print(rot, a.grad)
buf = torch.zeros(3)
for i, v in enumerate((a, b, a + b)):
    buf[i] = v
a.grad = None
buf.prod().backward()
print(buf, a.grad, b.grad)
rows = [torch.full((2,), float(i), requires_grad=True) for i in range(3)]
m = torch.cat([r.unsqueeze(0) * (i + 1) for i, r in enumerate(rows)])
m.pow(2).sum().backward()
print(m, [r.grad.tolist() for r in rows], torch.vstack(rows).shape, torch.hstack(rows).shape, torch.column_stack(rows).shape)
