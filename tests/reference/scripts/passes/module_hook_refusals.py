"""Wrong results of module backward hooks are refused."""

import torch
from torch import nn

lin = nn.Linear(2, 1)
x = torch.ones(1, 2, requires_grad=True)
h = lin.register_full_backward_hook(lambda m, gi, go: (gi[0], gi[0]))
try:
    lin(x).sum().backward()
except RuntimeError as e:
    print(type(e).__name__, "invalid number of grad_input" in str(e))
h.remove()


def swap(m, go):
    return go[0] * 0


h = lin.register_full_backward_pre_hook(swap)
try:
    lin(x).sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
h.remove()

# in-place changes of a hooked module's output are refused
h = lin.register_full_backward_hook(lambda m, gi, go: None)
out = lin(x)
try:
    out += 1
except RuntimeError as e:
    print(type(e).__name__, "view" in str(e))
h.remove()
out = lin(x)
out += 1
print(out.requires_grad)
