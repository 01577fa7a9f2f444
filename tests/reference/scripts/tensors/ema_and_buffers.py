"""Running averages in buffers, eval and train, to() moves buffers too."""
import copy
import torch
from torch import nn

class RunningMean(nn.Module):
    def __init__(self, n, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(n))
        self.register_buffer("count", torch.tensor(0))
    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.mean.lerp_(x.mean(0), self.momentum)
                self.count += 1
        return x - self.mean
m = RunningMean(2)
print(m.state_dict())
x = torch.tensor([[1.0, 2.0], [3.0, 6.0]], requires_grad=True)
y = m(x)
print(y, m.mean, m.count)
y.sum().backward()
print(x.grad)
m.eval()
m(x)
print(m.count, m.mean)
print(m.double().mean.dtype, m.count.dtype, m.half().mean, m.float().mean)
print([n for n, _ in m.named_buffers()], list(m.parameters()), len(list(m.buffers())))
k = copy.deepcopy(m)
k.mean.add_(1)
print(m.mean, k.mean)
m.mean = torch.ones(2)
print(m.state_dict()["mean"], "mean" in m._buffers)
bn = nn.BatchNorm1d(2)
print(bn.running_mean, bn.running_var, bn.num_batches_tracked, bn.weight, bn.bias)
out = bn(x)
print(out, bn.running_mean, bn.running_var, bn.num_batches_tracked)
bn.eval()
print(bn(x))
print(nn.BatchNorm1d(2, affine=False, track_running_stats=False).state_dict())
try:
    nn.BatchNorm1d(2)(torch.ones(1, 2))
except ValueError as e:
    print(type(e).__name__)
