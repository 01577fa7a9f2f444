"""vmap over batches: in_dims, out_dims, per-sample gradients."""

import torch
from torch.func import functional_call, grad, vmap

x = torch.arange(6.0).reshape(3, 2)
w = torch.tensor([1.0, -1.0])
print(vmap(lambda v: v @ w)(x))
print(vmap(torch.dot)(x, x))
print(vmap(lambda v, c: v * c, in_dims=(0, None))(x, 2.0))
print(vmap(lambda v: v.sum(), in_dims=1)(x))
print(vmap(lambda v: v * 2, out_dims=1)(x))
print(vmap(lambda v: (v.sum(), v.max()))(x))


def loss(w, v, t):
    return (v @ w - t) ** 2


per = vmap(grad(loss), in_dims=(None, 0, 0))(w, x, torch.tensor([0.0, 1.0, 2.0]))
print(per, per.shape)

model = torch.nn.Linear(2, 1)
with torch.no_grad():
    model.weight.copy_(torch.tensor([[1.0, 2.0]]))
    model.bias.zero_()
params = {k: v.detach() for k, v in model.named_parameters()}


def sample_loss(p, v):
    return functional_call(model, p, (v.unsqueeze(0),)).pow(2).sum()


g = vmap(grad(sample_loss), in_dims=(None, 0))(params, x)
print({k: v.shape for k, v in g.items()}, g["weight"])
