"""torch.utils.checkpoint: the function runs again in backward."""

import torch
from torch.utils.checkpoint import checkpoint

calls = []


def block(x, w):
    calls.append((torch.is_grad_enabled(), x.requires_grad))
    return torch.tanh(x * w) * w


x = torch.tensor([0.5, -0.5], requires_grad=True)
w = torch.tensor([2.0, 3.0], requires_grad=True)
ref = block(x, w)
want = torch.autograd.grad(ref.sum(), (x, w))
for reentrant in (False, True):
    calls.clear()
    y = checkpoint(block, x, w, use_reentrant=reentrant)
    print(reentrant, torch.equal(y, ref), y.requires_grad, len(calls))
    y.sum().backward()
    print(calls)
    print(torch.equal(x.grad, want[0]), torch.equal(w.grad, want[1]))
    x.grad = w.grad = None
print(checkpoint(block, x, w, use_reentrant=False).grad_fn is not None)
with torch.no_grad():
    print(checkpoint(block, x, w, use_reentrant=False).requires_grad)
