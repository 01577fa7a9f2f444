"""Which results require grad."""

import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2)
print((a + b).requires_grad, (b + b).requires_grad, torch.cat([a, b]).requires_grad, torch.stack([b, b]).requires_grad)
print((a > 0).requires_grad, a.sign().requires_grad, a.argmax().requires_grad, a.detach().requires_grad, a.long().requires_grad)
print(a.max().requires_grad, a.max(0).values.requires_grad, a.max(0).indices.requires_grad, a.sort().indices.requires_grad, a.topk(1).values.requires_grad)
print(torch.where(a > 0, b, b).requires_grad, torch.where(b > 0, a, b).requires_grad, a[0].requires_grad, a.numpy(force=True).sum())
with torch.no_grad():
    c = a * 2
    d = torch.ones(2, requires_grad=True)
    with torch.enable_grad():
        e = a * 2
print(c.requires_grad, d.requires_grad, e.requires_grad, c.is_leaf)
b += a
print(b.requires_grad, b.is_leaf, b.grad_fn)
f = torch.zeros(3)
f[0] = a[0]
print(f.requires_grad, f.grad_fn)
g = torch.zeros(2)
g.copy_(a)
print(g.requires_grad, g.grad_fn, a.floor().requires_grad, a.round().grad_fn, torch.zeros_like(a).requires_grad, a.new_tensor([1.0]).requires_grad)
print(torch.tensor(a.tolist()).requires_grad, a.item if False else a.sum().item(), a.expand(2, 2).requires_grad, a.shape.numel())
