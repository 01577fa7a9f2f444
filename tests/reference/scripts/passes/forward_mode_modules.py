"""Forward mode through a module, with duals in place of its parameters."""

import torch
from torch import nn
import torch.autograd.forward_ad as fwAD

lin = nn.Linear(2, 2)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    lin.bias.zero_()
x = torch.tensor([[1.0, 1.0]])
with fwAD.dual_level():
    out = lin(fwAD.make_dual(x, torch.tensor([[1.0, 0.0]])))
    print(fwAD.unpack_dual(out).tangent.detach())
    params = {n: p for n, p in lin.named_parameters()}
    for name, p in params.items():
        delattr(lin, name)
        setattr(lin, name, fwAD.make_dual(p, torch.ones_like(p)))
    out = lin(x)
    p, t = fwAD.unpack_dual(out)
    print(p.detach(), t.detach())
