"""torch.autograd.backward on several tensors at once, with and without gradients."""

import torch

x = torch.arange(4.0, requires_grad=True)
y1 = x.sum()
y2 = x * x
torch.autograd.backward([y1, y2], [None, torch.ones(4)])
print(x.grad)

x.grad = None
torch.autograd.backward((x.sum(), (3 * x).sum()))
print(x.grad)

x.grad = None
torch.autograd.backward([x.prod() + x.sum()], grad_tensors=[torch.tensor(0.5)])
print(x.grad)

# the same root twice counts twice
x.grad = None
r = (2 * x).sum()
torch.autograd.backward([r, r])
print(x.grad)

for outs, gs in [
    ([y1.detach()], None),
    ([x.sum(), x * 2], None),
    ([x * 2], [torch.ones(4), torch.ones(4)]),
    ([x * 2, x * 3], [torch.ones(4)]),
]:
    try:
        torch.autograd.backward(outs, gs)
        print("ok")
    except RuntimeError as e:
        print(type(e).__name__)
