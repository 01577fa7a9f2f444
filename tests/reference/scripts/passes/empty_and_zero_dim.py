"""Zero-size and zero-dim tensors in backward passes."""

import torch

e = torch.zeros(0, 3, requires_grad=True)
w = torch.ones(3, 2, requires_grad=True)
out = e @ w
print(out.shape, out.requires_grad)
out.sum().backward()
print(e.grad, w.grad)
s = torch.tensor(2.0, requires_grad=True)
(s * torch.zeros(0)).sum().backward()
print(s.grad)
torch.cat([torch.zeros(0), s.view(1), s.expand(2)]).sum().backward()
print(s.grad)
print(torch.zeros(0, requires_grad=True).sum(), torch.zeros(0, requires_grad=True).prod())
m = torch.zeros(0, requires_grad=True).mean()
print(m)
try:
    torch.zeros(0, requires_grad=True).max()
except RuntimeError as err:
    print(type(err).__name__)
r = torch.randn(0, 4, requires_grad=True)
print(torch.nn.functional.softmax(r, 1).shape, r.norm(), torch.autograd.grad(r.norm(), r)[0].shape)
q = torch.ones(3, 0, requires_grad=True)
print(torch.autograd.grad(q.sum(1).sum(), q)[0].shape, q.sum(1))
s.grad = None
s.unsqueeze(0).repeat(3).prod().backward()
print(s.grad, s.grad.shape)
