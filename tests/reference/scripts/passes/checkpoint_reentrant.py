"""Checkpointing with reentrance, its warnings and refusals."""
import warnings
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def run(f):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            r = f()
        except Exception as e:
            r = type(e).__name__
    return r, [w.category.__name__ for w in seen]


x = torch.tensor([0.5, -1.0], requires_grad=True)
w = torch.tensor([2.0, 3.0], requires_grad=True)
print(run(lambda: checkpoint(torch.mul, x, w)))
print(run(lambda: checkpoint(torch.mul, x, w, use_reentrant=True)))
print(run(lambda: checkpoint(torch.mul, x.detach(), w.detach(), use_reentrant=True)))
print(run(lambda: checkpoint(lambda a: a * w, x.detach(), use_reentrant=True)))
print(run(lambda: checkpoint(lambda a: a * w, x.detach(), use_reentrant=False)))
y = checkpoint(lambda a, b: (a * b).sin(), x, w, use_reentrant=True)
print(y.grad_fn)
y.sum().backward()
print(x.grad, w.grad)
print(run(lambda: torch.autograd.grad(checkpoint(torch.mul, x, w, use_reentrant=True).sum(), x)))
print(run(lambda: checkpoint(torch.mul, x, w, use_reentrant=True).sum().backward(inputs=[x])))
print(run(lambda: checkpoint(torch.mul, x, other=w, use_reentrant=True)))
print(run(lambda: checkpoint(torch.mul, x, w, use_reentrant=True, context_fn=lambda: (1, 2))))
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 1))
for p in net.parameters():
    nn.init.constant_(p, 0.3)
inp = torch.ones(2, 2, requires_grad=True)
for reentrant in (True, False):
    for cut in (0, 2, 4):
        net.zero_grad()
        inp.grad = None
        first, rest = nn.Sequential(*list(net)[:cut]), nn.Sequential(*list(net)[cut:])
        out = rest(checkpoint(first, inp, use_reentrant=reentrant))
        out.sum().backward()
        print(reentrant, cut, out.squeeze(), inp.grad, net[0].weight.grad)
print(run(lambda: checkpoint(torch.sin, inp, use_reentrant=False, preserve_rng_state=False).shape))
print(run(lambda: checkpoint(torch.sin, inp, use_reentrant=False, determinism_check="none").shape))
print(run(lambda: checkpoint(torch.sin, inp, use_reentrant=False, bogus=1)))
