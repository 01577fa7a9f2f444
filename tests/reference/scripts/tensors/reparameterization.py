"""The reparameterisation trick, seeded."""

import torch

torch.manual_seed(11)
mu = torch.tensor([0.5, -0.5], requires_grad=True)
log_sigma = torch.tensor([0.1, -0.3], requires_grad=True)
eps = torch.randn(4, 2)
z = mu + torch.exp(log_sigma) * eps
kl = -0.5 * (1 + 2 * log_sigma - mu**2 - torch.exp(2 * log_sigma)).sum()
loss = (z**2).mean() + kl
loss.backward()
print(z, loss)
print(mu.grad, log_sigma.grad)
