"""Collecting gradients by name, as users do around autograd.grad."""

import torch

params = {
    "w": torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True),
    "b": torch.tensor([0.1, 0.2], requires_grad=True),
    "scale": torch.tensor(1.5, requires_grad=True),
}


def net(p, x):
    return ((x @ p["w"] + p["b"]).relu() * p["scale"]).sum()


loss = net(params, torch.tensor([[1.0, -1.0], [2.0, 0.5]]))
grads = dict(zip(params, torch.autograd.grad(loss, list(params.values()))))
for name, g in grads.items():
    print(name, g)
with torch.no_grad():
    params = {k: (v - 0.1 * grads[k]).requires_grad_() for k, v in params.items()}
print({k: v.is_leaf for k, v in params.items()})
print(net(params, torch.tensor([[1.0, -1.0], [2.0, 0.5]])))

total = torch.sqrt(sum((g**2).sum() for g in grads.values()))
print(f"{total.item():.4f}")
