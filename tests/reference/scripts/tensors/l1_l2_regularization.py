"""Penalties added to the loss, and weight decay that does the same."""

import torch

w1 = torch.tensor([1.0, -2.0, 0.0], requires_grad=True)
w2 = w1.detach().clone().requires_grad_()
x = torch.tensor([0.5, 1.0, -1.0])
(((w1 * x).sum() - 1) ** 2 + 0.1 * w1.abs().sum() + 0.05 * w1.pow(2).sum()).backward()
print(w1.grad)
opt = torch.optim.SGD([w2], lr=1.0, weight_decay=0.1)
((w2 * x).sum() - 1).pow(2).backward()
opt.step()
print(w2)
print(torch.norm(w1, 1).item(), w1.norm(2).item(), w1.abs().max().item(), torch.linalg.vector_norm(w1, ord=3))
model = torch.nn.Linear(2, 1)
with torch.no_grad():
    model.weight.fill_(2.0)
l2 = sum(p.pow(2).sum() for n, p in model.named_parameters() if "weight" in n)
print(l2)
