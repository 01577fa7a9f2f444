"""Score-function estimators: surrogate losses, detached baselines, log probabilities."""

import torch

logits = torch.tensor([0.1, 0.5, -0.2], requires_grad=True)
rewards = torch.tensor([1.0, 2.0, 0.0])
p = logits.softmax(0)
exact = torch.autograd.grad((p * rewards).sum(), logits, retain_graph=True)[0]
surrogate = (p.detach() * p.log() * rewards).sum()
(g,) = torch.autograd.grad(surrogate, logits, retain_graph=True)
print(exact, torch.allclose(exact, g))
baseline = (p * rewards).sum().detach()
(gb,) = torch.autograd.grad(
    (p.detach() * logits.log_softmax(0) * (rewards - baseline)).sum(), logits
)
print(torch.allclose(gb, exact, atol=1e-6))

# the reparameterisation trick, with fixed noise
mu = torch.tensor(0.5, requires_grad=True)
log_sigma = torch.tensor(-1.0, requires_grad=True)
eps = torch.tensor([-1.0, 0.0, 1.0, 2.0])
z = mu + log_sigma.exp() * eps
kl = 0.5 * (mu**2 + (2 * log_sigma).exp() - 2 * log_sigma - 1)
loss = (z**2).mean() + kl
loss.backward()
print(loss, mu.grad, log_sigma.grad)
