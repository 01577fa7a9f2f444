"""Gradients of many tensors held in containers."""

import torch

params = {name: torch.full((2,), float(i + 1), requires_grad=True) for i, name in enumerate("abc")}
loss = sum((p**2).sum() * (i + 1) for i, p in enumerate(params.values()))
loss.backward()
print({k: v.grad.tolist() for k, v in params.items()})
grads = {k: v.grad for k, v in params.items()}
with torch.no_grad():
    params = {k: (v - 0.1 * grads[k]).requires_grad_() for k, v in params.items()}
print({k: (v.tolist(), v.is_leaf, v.grad) for k, v in params.items()})
out = torch.autograd.grad(sum(p.prod() for p in params.values()), list(params.values()))
print(dict(zip(params, out)))
weights = [torch.randn(2, generator=torch.Generator().manual_seed(i), requires_grad=True) for i in range(3)]
torch.stack(weights).pow(2).sum().backward()
print([torch.allclose(w.grad, 2 * w) for w in weights], weights[0])
