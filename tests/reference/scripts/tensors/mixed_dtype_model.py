"""Converting models between dtypes."""

import torch
from torch import nn

torch.manual_seed(0)
m = nn.Linear(2, 1)
print(m.double().weight.dtype, m.float().weight.dtype, m.half().weight.dtype, m.bfloat16().weight.dtype)
m = nn.Linear(2, 1).to(torch.float64)
out = m(torch.ones(1, 2, dtype=torch.float64))
out.backward()
print(out, m.weight.grad, m.bias.grad.dtype)
try:
    m(torch.ones(1, 2))
except RuntimeError as err:
    print(type(err).__name__, "dtype" in str(err))
m.float()
print(m.weight.grad.dtype, m.weight.dtype, m(torch.ones(1, 2)).dtype)
bn = nn.BatchNorm1d(2).double()
print(bn.running_mean.dtype, bn.num_batches_tracked.dtype)
print(nn.Linear(2, 2, dtype=torch.float64).bias.dtype, next(nn.Linear(1, 1).parameters()).device)
