"""What a gradient is where the output does not depend on the input."""
import torch

x = torch.ones(2, requires_grad=True)
z = torch.ones(3, dtype=torch.float64, requires_grad=True)
c = torch.ones(2, 2, dtype=torch.complex64, requires_grad=True)
y = (x * 2).sum()
for kw in ({}, {"allow_unused": False}, {"allow_unused": True}, {"materialize_grads": True},
           {"allow_unused": True, "materialize_grads": True},
           {"allow_unused": False, "materialize_grads": True}, {"allow_unused": None}):
    try:
        print(kw, torch.autograd.grad(y, (x, z, c), retain_graph=True, **kw))
    except Exception as e:
        print(kw, type(e).__name__)
g = torch.autograd.grad(y, z, create_graph=True, materialize_grads=True)[0]
print(g, g.requires_grad, g.grad_fn, g.dtype)
(g1,) = torch.autograd.grad(y, x, create_graph=True)
print(g1, g1.requires_grad, g1.grad_fn)
try:
    torch.autograd.grad(g1.sum(), x)
except RuntimeError as e:
    print(type(e).__name__)
w = torch.ones(2, requires_grad=True)
out = torch.where(torch.tensor([True, False]), w, x)
print(torch.autograd.grad(out.sum(), (w, x)))
d = x.detach() * w
print(torch.autograd.grad(d.sum(), [x, w], allow_unused=True))
u, v = torch.tensor([3.0, 1.0], requires_grad=True).unbind()
print(torch.autograd.grad(u * 2, [u, v], allow_unused=True))
