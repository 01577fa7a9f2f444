"""Forward hooks and pre-hooks of modules, with kwargs, prepended, and on every module."""

import torch
from torch import nn

lin = nn.Linear(2, 2)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))
    lin.bias.copy_(torch.tensor([0.5, -0.5]))

log = []
h1 = lin.register_forward_hook(
    lambda m, args, out: log.append((type(m).__name__, len(args), tuple(out.shape)))
)
h2 = lin.register_forward_pre_hook(lambda m, args: (args[0] + 1,))
print(lin(torch.zeros(1, 2)))
h3 = lin.register_forward_hook(lambda m, args, out: out * 10)
print(lin(torch.zeros(1, 2)), log)
h2.remove()
h3.remove()
print(lin(torch.zeros(1, 2)))

features = {}
net = nn.Sequential(lin, nn.ReLU(), nn.Linear(2, 1))


def save(name):
    def hook(module, args, output):
        features[name] = output.detach()

    return hook


for name, m in net.named_children():
    m.register_forward_hook(save(name))
net(torch.tensor([[1.0, -1.0]]))
print({k: tuple(v.shape) for k, v in features.items()}, features["1"])


class Scale(nn.Module):
    def forward(self, x, factor=1.0):
        return x * factor


s = Scale()
s.register_forward_pre_hook(
    lambda m, args, kwargs: (args, {"factor": kwargs["factor"] + 1}), with_kwargs=True
)
s.register_forward_hook(lambda m, args, kwargs, out: print("kwargs", kwargs), with_kwargs=True)
print(s(torch.tensor(2.0), factor=3.0))
order = []
s = Scale()
s.register_forward_hook(lambda m, a, o: order.append(1))
s.register_forward_hook(lambda m, a, o: order.append(0), prepend=True)
s(torch.tensor(1.0))
print(order)
