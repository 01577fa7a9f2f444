"""Flattened parameters: a Hessian of a small model, Newton's step on it."""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

model = nn.Linear(2, 1).double()
with torch.no_grad():
    model.weight.copy_(torch.tensor([[0.5, -0.5]]))
    model.bias.fill_(0.25)
x = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5], [2.0, 2.0]], dtype=torch.float64)
y = x @ torch.tensor([[1.0], [2.0]], dtype=torch.float64) - 1


def loss_fn():
    return ((model(x) - y) ** 2).mean()


params = list(model.parameters())
grads = torch.autograd.grad(loss_fn(), params, create_graph=True)
g = parameters_to_vector(grads)
H = torch.stack(
    [parameters_to_vector(torch.autograd.grad(gi, params, retain_graph=True)) for gi in g]
)
print(H)
vec = parameters_to_vector(params)
print(vec.shape, vec.requires_grad)
new = vec.detach() - torch.linalg.solve(H, g.detach())
vector_to_parameters(new, params)
print(
    model.weight.data.round(decimals=6),
    model.bias.data.round(decimals=6),
    f"{loss_fn().item():.10f}",
)
print([p.requires_grad for p in params])
