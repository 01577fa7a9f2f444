"""Ensembles by vmap and functional_call."""

import copy
import torch
from torch import nn
from torch.func import functional_call, vmap

models = [nn.Linear(2, 1) for _ in range(3)]
with torch.no_grad():
    for k, m in enumerate(models):
        m.weight.fill_(k + 1.0)
        m.bias.fill_(-k)
params, buffers = {n: torch.stack([dict(m.named_parameters())[n].detach() for m in models]).requires_grad_() for n, _ in models[0].named_parameters()}, {}
print({n: (p.shape, p.requires_grad, p.is_leaf) for n, p in params.items()}, buffers)
base = copy.deepcopy(models[0])


def run(p, b, x):
    return functional_call(base, (p, b), (x,))


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
out = vmap(run, in_dims=(0, 0, None))(params, buffers, x)
print(out.shape, torch.allclose(out, torch.stack([m(x) for m in models])))
out.sum().backward()
print(params["weight"].grad.shape, params["bias"].grad)
