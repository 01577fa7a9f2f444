"""Changing parameters in place: init, weight decay, clipping, pruning masks."""

import torch
import torch.nn as nn

torch.manual_seed(0)
m = nn.Linear(3, 2)
print(m.weight._version, m.bias._version, m.weight.is_leaf)
nn.init.ones_(m.weight)
nn.init.zeros_(m.bias)
print(m.weight, m.weight._version, m.weight.grad_fn)
with torch.no_grad():
    m.weight[:, 1] = 5
    m.weight.mul_(torch.tensor([[1.0], [2.0]]))
    m.bias += 0.5
print(m.weight, m.bias)
mask = (m.weight.abs() > 1).float()
m.weight.data *= mask
print(m.weight.data, mask.sum())
x = torch.ones(1, 3)
m(x).sum().backward()
print(m.weight.grad, m.bias.grad)
m.weight.grad *= mask
nn.utils.clip_grad_value_(m.parameters(), 0.3)
print(m.weight.grad, m.bias.grad)
total = nn.utils.clip_grad_norm_(m.parameters(), 0.1)
print(round(total.item(), 4), m.weight.grad)
opt = torch.optim.SGD(m.parameters(), lr=1.0, weight_decay=0.1)
v = m.weight._version
opt.step()
print(m.weight, m.weight._version > v)
opt.zero_grad(set_to_none=False)
print(m.weight.grad, m.weight.grad.requires_grad)
opt.zero_grad()
print(m.weight.grad)
vec = nn.utils.parameters_to_vector(m.parameters())
print(vec.shape, vec.requires_grad)
nn.utils.vector_to_parameters(torch.arange(8.0), m.parameters())
print(m.weight, m.bias, m.weight.is_leaf)
try:
    m.weight += 1
except RuntimeError:
    print("RuntimeError")
try:
    m.weight = torch.zeros(2, 3)
except TypeError:
    print("TypeError")
m.weight = nn.Parameter(torch.zeros(2, 3))
del m.bias
m.bias = None if False else nn.Parameter(torch.tensor([1.0, 2.0]))
print(m(x), [n for n, _ in m.named_parameters()])
state = m.state_dict()
state["weight"].add_(1)
print(m.weight, state["weight"].requires_grad)
copied = {k: t.clone() for k, t in state.items()}
m.weight.data.zero_()
m.load_state_dict(copied)
print(m.weight, m.weight._version)
