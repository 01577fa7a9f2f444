"""Second order through softmax, log_softmax and cross entropy."""

import torch
import torch.nn.functional as F

z = torch.tensor([[1.0, 2.0, -1.0], [0.0, 0.5, 0.25]], dtype=torch.float64, requires_grad=True)
t = torch.tensor([2, 0])
loss = F.cross_entropy(z, t)
(g,) = torch.autograd.grad(loss, z, create_graph=True)
p = z.softmax(1)
print(torch.allclose(g, (p - F.one_hot(t, 3)) / 2))
H = torch.stack([torch.autograd.grad(g[0, i], z, retain_graph=True)[0][0] for i in range(3)])
print(H)
want = (torch.diag(p[0]) - torch.outer(p[0], p[0])) / 2
print(torch.allclose(H, want))
print(torch.linalg.eigvalsh(H.detach()).min().item() > -1e-12)

(g,) = torch.autograd.grad(z.logsumexp(1).sum(), z, create_graph=True)
(gg,) = torch.autograd.grad((g**2).sum(), z)
print(gg)
