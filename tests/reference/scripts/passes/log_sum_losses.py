"""Common losses by hand and from torch.nn.functional, values and gradients."""

import torch
import torch.nn.functional as F

z = torch.tensor([[1.0, 2.0, 0.5], [0.1, -1.0, 3.0]], requires_grad=True)
t = torch.tensor([1, 2])
hand = -(z.log_softmax(1)[torch.arange(2), t]).mean()
print(hand, F.cross_entropy(z, t), F.nll_loss(F.log_softmax(z, 1), t))
print(torch.autograd.grad(F.cross_entropy(z, t), z)[0])
print(torch.autograd.grad(F.cross_entropy(z, t, label_smoothing=0.1, reduction="sum"), z)[0])
p = torch.tensor([0.3, 0.9], requires_grad=True)
y = torch.tensor([0.0, 1.0])
print(F.binary_cross_entropy(p, y), torch.autograd.grad(F.binary_cross_entropy(p, y), p)[0])
l = torch.tensor([-1.0, 2.0], requires_grad=True)
print(torch.autograd.grad(F.binary_cross_entropy_with_logits(l, y), l)[0])
a, b = torch.tensor([1.0, -1.0, 0.2], requires_grad=True), torch.zeros(3)
for f in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss):
    print(f.__name__, f(a, b), torch.autograd.grad(f(a, b), a)[0])
q = F.softmax(z, 1).detach()
print(F.kl_div(F.log_softmax(z * 0.5, 1), q, reduction="batchmean"))
print(F.cosine_similarity(z, z.flip(1)), F.mse_loss(a, b, reduction="none"))
