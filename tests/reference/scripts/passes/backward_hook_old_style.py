"""register_backward_hook, the older kind of module hook."""

import torch
from torch import nn

relu = nn.ReLU()
log = []
h = relu.register_backward_hook(
    lambda m, gi, go: log.append((type(m).__name__, gi[0].tolist(), go[0].tolist()))
)
x = torch.tensor([-1.0, 2.0], requires_grad=True)
relu(x * 2).sum().backward()
print(log, x.grad)
h.remove()
relu(x).sum().backward()
print(len(log))

# guided backpropagation
net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU())
with torch.no_grad():
    net[0].weight.copy_(torch.tensor([[1.0, 2.0], [-3.0, 1.0]]))


def guided(module, grad_in, grad_out):
    return (torch.clamp(grad_in[0], min=0.0),)


net[1].register_full_backward_hook(guided)
x = torch.tensor([[1.0, 4.0]], requires_grad=True)
(net(x) * torch.tensor([[1.0, -1.0]])).sum().backward()
print(x.grad)
try:
    net[1].register_backward_hook(guided)
except RuntimeError as e:
    print(type(e).__name__)
