"""FGSM and PGD: gradients with respect to inputs, projections."""

import torch
import torch.nn.functional as F

W = torch.tensor([[1.0, -1.0, 0.5], [0.2, 0.8, -0.4]])
x0 = torch.tensor([[0.5, 0.1, 0.3]])
label = torch.tensor([0])
eps = 0.1

x = x0.clone().requires_grad_()
loss = F.cross_entropy(x @ W.T, label)
(g,) = torch.autograd.grad(loss, x)
adv = (x0 + eps * g.sign()).clamp(0, 1)
print(g, adv, loss.item() < F.cross_entropy(adv @ W.T, label).item())

x = x0.clone()
for _ in range(5):
    x.requires_grad_(True)
    if x.grad is not None:
        x.grad.zero_()
    F.cross_entropy(x @ W.T, label).backward()
    with torch.no_grad():
        x = x + 0.03 * x.grad.sign()
        x = torch.max(torch.min(x, x0 + eps), x0 - eps)
print(x, x.requires_grad, x.is_leaf)

delta = torch.zeros_like(x0, requires_grad=True)
opt = torch.optim.SGD([delta], lr=0.1)
for _ in range(3):
    opt.zero_grad()
    (-F.cross_entropy((x0 + delta) @ W.T, label)).backward()
    opt.step()
    delta.data.clamp_(-eps, eps)
print(delta)
