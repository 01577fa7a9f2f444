"""The gradient penalty of WGAN-GP, with a small critic."""

import torch
from torch import autograd, nn

critic = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
with torch.no_grad():
    for k, p in enumerate(critic.parameters()):
        p.copy_(torch.linspace(-0.5 - k, 0.5 + k, p.numel()).reshape(p.shape))

real = torch.tensor([[1.0, 0.0], [0.5, -0.5]])
fake = torch.tensor([[0.0, 1.0], [-0.5, 0.25]])
alpha = torch.tensor([[0.25], [0.75]])
mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
scores = critic(mixed)
(gradients,) = autograd.grad(
    outputs=scores,
    inputs=mixed,
    grad_outputs=torch.ones_like(scores),
    create_graph=True,
    retain_graph=True,
    only_inputs=True,
)
penalty = ((gradients.norm(2, dim=1) - 1) ** 2).mean()
print(gradients)
print(penalty)
penalty.backward()
for name, p in critic.named_parameters():
    print(name, p.grad)
