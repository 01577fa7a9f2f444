"""Batch normalization by hand against the layer, and its double backward."""

import torch
from torch import nn

x = torch.tensor(
    [[1.0, 2.0], [3.0, -1.0], [0.0, 5.0], [2.0, 2.0]], dtype=torch.float64, requires_grad=True
)
w = torch.arange(8.0, dtype=torch.float64).reshape(4, 2)


def bn(x, eps=1e-5):
    mean = x.mean(0)
    var = x.var(0, unbiased=False)
    return (x - mean) / (var + eps).sqrt()


layer = nn.BatchNorm1d(2).double()
a, b = bn(x), layer(x)
print(torch.allclose(a, b))
(ga,) = torch.autograd.grad((a * w).sum(), x, create_graph=True)
(gb,) = torch.autograd.grad((b * w).sum(), x, create_graph=True)
print(torch.allclose(ga, gb), ga.detach())
(ha,) = torch.autograd.grad((ga**2).sum(), x)
(hb,) = torch.autograd.grad((gb**2).sum(), x)
print(torch.allclose(ha, hb))
print(layer.running_mean, layer.running_var, layer.num_batches_tracked)
layer.eval()
print(torch.autograd.grad(layer(x).sum(), x)[0])
