"""Second derivatives of piecewise linear functions are zero, or do not exist."""

import torch
import torch.nn.functional as F

x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
for name, f in [
    ("relu", torch.relu),
    ("leaky", lambda v: F.leaky_relu(v, 0.1)),
    ("abs", torch.abs),
    ("clamp", lambda v: v.clamp(0, 1)),
    ("linear", lambda v: 3 * v),
]:
    (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    print(name, g.detach(), g.requires_grad, end=" ")
    if g.requires_grad:
        (h,) = torch.autograd.grad(g.sum(), x, allow_unused=True)
        print(h)
    else:
        print("constant")
for name, f in [
    ("softplus", F.softplus),
    ("elu", F.elu),
    ("silu", F.silu),
    ("gelu", F.gelu),
    ("sigmoid", torch.sigmoid),
    ("logsigmoid", F.logsigmoid),
]:
    (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    print(name, g.detach(), h)
