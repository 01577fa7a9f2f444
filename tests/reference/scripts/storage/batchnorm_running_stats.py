"""Buffers that are updated in place while a graph uses them."""

import torch

mean = torch.zeros(2)
var = torch.ones(2)
w = torch.ones(2, requires_grad=True)
x = torch.tensor([[1.0, 2.0], [3.0, 6.0], [4.0, -1.0]], requires_grad=True)
for step in range(2):
    m, v = x.mean(0), x.var(0, unbiased=False)
    with torch.no_grad():
        mean.mul_(0.9).add_(m, alpha=0.1)
        var.mul_(0.9).add_(v.detach() * 2, alpha=0.1)
    y = (x - m) / (v + 1e-5).sqrt() * w
    print(y, mean, var, mean._version, mean.requires_grad)
(y.pow(3) * torch.tensor([[1.0, 2.0], [3.0, 5.0], [2.0, 4.0]])).sum().backward()
print(x.grad, w.grad)
y = (x.detach() - mean) * w
mean.zero_()
try:
    y.sum().backward()
    print("fine", w.grad)
except RuntimeError:
    print("RuntimeError")
y = x.detach() * mean * w
mean.add_(1)
try:
    y.sum().backward()
    print("fine", w.grad)
except RuntimeError:
    print("RuntimeError")
bn = torch.nn.BatchNorm1d(2)
out = bn(x)
print(
    bn.running_mean, bn.running_var, bn.num_batches_tracked, bn.running_mean._version, out.grad_fn
)
bn.eval()
before = bn.running_mean.clone()
bn(x).sum().backward()
print(torch.equal(before, bn.running_mean), bn.weight.grad)
bn.running_mean += 1
bn.running_mean.data[0] = 5
print(bn.running_mean, bn.state_dict()["running_mean"].data_ptr() == bn.running_mean.data_ptr())
momentum = torch.tensor(0.5)
mean.lerp_(torch.tensor([2.0, 4.0]), momentum)
print(mean, mean.lerp_(torch.ones(2), 0.1))
cnt = torch.tensor(0)
cnt += 1
cnt.add_(2)
cnt *= 2
print(cnt, cnt.item(), cnt.dtype, cnt._version)
