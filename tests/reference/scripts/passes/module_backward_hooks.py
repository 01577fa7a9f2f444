"""Full backward hooks of modules: what they see, what they may change."""

import torch
from torch import nn

torch.manual_seed(0)
lin = nn.Linear(3, 2)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]]))
    lin.bias.zero_()


def show(module, grad_input, grad_output):
    print(
        type(module).__name__,
        [None if g is None else g.tolist() for g in grad_input],
        [g.tolist() for g in grad_output],
    )


h = lin.register_full_backward_hook(show)
x = torch.tensor([[1.0, 1.0, 1.0]], requires_grad=True)
lin(x).sum().backward()
print(x.grad, type(h).__name__)
h.remove()

x.grad = None
h = lin.register_full_backward_hook(lambda m, gi, go: (gi[0] * 100,))
lin(x).sum().backward()
print(x.grad, lin.weight.grad)
h.remove()
x.grad = None
h = lin.register_full_backward_pre_hook(lambda m, go: (go[0] * 2,))
lin(x).sum().backward()
print(x.grad)
h.remove()

# an input without gradient
h = lin.register_full_backward_hook(show)
lin(torch.ones(1, 3)).sum().backward()
net = nn.Sequential(nn.Linear(1, 1), nn.Tanh(), nn.Linear(1, 1))
names = []
for n, m in net.named_modules():
    m.register_full_backward_hook(lambda mod, gi, go, n=n: names.append(n or "whole"))
net(torch.ones(1, 1, requires_grad=True)).backward()
print(names)
