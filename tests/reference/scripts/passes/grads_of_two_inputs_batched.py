"""Batched gradients of two inputs, one of them unused."""

import torch

w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
b = torch.tensor([0.5, -0.5, 1.0], requires_grad=True)
c = torch.tensor(1.0, requires_grad=True)
x = torch.tensor([2.0, -1.0])
y = w @ x + b

gw, gb = torch.autograd.grad(y, (w, b), torch.eye(3), retain_graph=True, is_grads_batched=True)
print(gw.shape, gb.shape)
print(gw[1], gb[1])
gw, gc = torch.autograd.grad(
    y, (w, c), torch.eye(3), retain_graph=True, is_grads_batched=True, allow_unused=True
)
print(gw[2], gc)
try:
    torch.autograd.grad(y, (w, c), torch.eye(3), retain_graph=True, is_grads_batched=True)
except RuntimeError as e:
    print(type(e).__name__)
# the result can be differentiated when asked
(gb,) = torch.autograd.grad(y.sigmoid(), b, torch.eye(3), create_graph=True, is_grads_batched=True)
print(gb.requires_grad, gb.shape)
(gg,) = torch.autograd.grad(gb.sum(), b)
s = y.detach().sigmoid()
print(torch.allclose(gg, s * (1 - s) * (1 - 2 * s)))
