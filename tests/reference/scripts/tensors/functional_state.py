"""functional_call, stacked parameters, cloned modules as pure functions."""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap
m = nn.Linear(2, 1)
with torch.no_grad():
    m.weight.copy_(torch.tensor([[1.0, 2.0]]))
    m.bias.fill_(0.5)
x = torch.tensor([[1.0, 1.0], [2.0, 0.0]])
print(m(x), functional_call(m, {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}, (x,)), functional_call(m, {"weight": torch.zeros(1, 2)}, x))
print(m.weight, m(x))
params = {k: v.detach() for k, v in m.named_parameters()}
def loss(p, x, y):
    return ((functional_call(m, p, (x,)) - y) ** 2).mean()
g = grad(loss)(params, x, torch.zeros(2, 1))
print(g, m.weight.grad)
per = vmap(grad(loss), in_dims=(None, 0, 0))(params, x.unsqueeze(1), torch.zeros(2, 1, 1))
print({k: v.shape for k, v in per.items()}, per["weight"])
p2 = {k: v.clone().requires_grad_() for k, v in params.items()}
loss(p2, x, torch.ones(2, 1)).backward()
print(p2["weight"].grad, p2["bias"].grad, m.weight.grad)
new = {k: v - 0.1 * gg for (k, v), gg in zip(params.items(), g.values())}
print(loss(params, x, torch.zeros(2, 1)), loss(new, x, torch.zeros(2, 1)))
fast = {k: v for k, v in m.named_parameters()}
inner = loss(fast, x, torch.ones(2, 1))
gs = torch.autograd.grad(inner, fast.values(), create_graph=True)
adapted = {k: v - 0.5 * gg for (k, v), gg in zip(fast.items(), gs)}
outer = loss(adapted, x, torch.zeros(2, 1))
outer.backward()
print(outer, m.weight.grad, m.bias.grad)
try:
    functional_call(m, {"nope": torch.ones(1)}, x)
    print("accepted")
except Exception as e:
    print(type(e).__name__)
