"""Batch normalisation written out agrees with nn.BatchNorm1d."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(8, 3, requires_grad=True)
bn = nn.BatchNorm1d(3)
out = bn(x)
mean, var = x.mean(0), x.var(0, unbiased=False)
mine = (x - mean) / torch.sqrt(var + bn.eps) * bn.weight + bn.bias
print(torch.allclose(out, mine, atol=1e-5), bn.running_mean, 0.1 * mean.detach())
(out * torch.arange(24.0).view(8, 3)).sum().backward()
print(x.grad[0], bn.weight.grad, bn.bias.grad)
print(bn.num_batches_tracked, list(bn.state_dict()))
bn.eval()
print(bn(x)[0])
frozen = nn.BatchNorm1d(3, affine=False, track_running_stats=False)
print(list(frozen.parameters()), frozen.running_mean, frozen(x).mean(0).abs().max() < 1e-5)
bn.reset_running_stats()
print(bn.running_mean, bn.running_var)
try:
    bn(torch.ones(2, 3, 4, 5))
except ValueError as err:
    print(type(err).__name__, err)
