"""A hook that logs gradient norms of activations for several temperatures."""

import torch

logits = torch.tensor([2.0, 1.0, 0.1], requires_grad=True)
for T in (0.5, 1.0, 5.0):
    logits.grad = None
    p = torch.softmax(logits / T, dim=0)
    norms = []
    h = p.register_hook(lambda g: norms.append(round(g.norm().item(), 4)))
    entropy = -(p * p.log()).sum()
    entropy.backward()
    h.remove()
    print(T, p, entropy, logits.grad, norms)
