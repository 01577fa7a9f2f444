"""module.apply with nn.init, by layer type."""

import torch
from torch import nn


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        nn.init.constant_(m.bias, 0.1)


torch.manual_seed(5)
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Sequential(nn.Linear(3, 1)))
print(net.apply(init) is net)
for n, p in net.named_parameters():
    print(n, p.data, p.requires_grad, p.grad_fn)
w = torch.empty(3, 5)
for f in (nn.init.uniform_, nn.init.normal_, nn.init.xavier_normal_, nn.init.kaiming_normal_, nn.init.kaiming_uniform_, nn.init.eye_, nn.init.ones_, nn.init.zeros_, nn.init.trunc_normal_):
    print(f.__name__, f(w))
print(nn.init.calculate_gain("relu"), nn.init.calculate_gain("tanh"), nn.init.calculate_gain("leaky_relu", 0.2))
print(nn.init.orthogonal_(torch.empty(2, 2)).det().abs())
try:
    nn.init.xavier_uniform_(torch.empty(3))
except ValueError as err:
    print(type(err).__name__, "an in and fan out" in str(err), "2 dimensions" in str(err))
