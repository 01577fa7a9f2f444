"""functional_call, per-sample gradients."""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap, jacrev

net = nn.Sequential(nn.Linear(2, 3), nn.Sigmoid(), nn.Linear(3, 1))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p) * (i + 1))
params = {k: v.detach() for k, v in net.named_parameters()}
x, y = torch.tensor([[1.0, 2.0], [0.0, -1.0], [0.5, 0.5]]), torch.tensor([[1.0], [0.0], [2.0]])


def loss(params, x, y):
    return ((functional_call(net, params, (x,)) - y) ** 2).mean()


print(loss(params, x, y))
g = grad(loss)(params, x, y)
print({k: v.shape for k, v in g.items()}, g["2.bias"])
per = vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)
print(per["0.weight"].shape, per["2.bias"])
print(torch.allclose(per["0.weight"].mean(0), g["0.weight"]))
print(functional_call(net, {"2.bias": torch.tensor([10.0])}, x))
print(functional_call(net, {"2.bias": torch.tensor([10.0])}, args=(x,), kwargs={}))
print(functional_call(net, (params, {}), (x,)).shape)
for bad in ({"nope": torch.ones(1)}, {"2.bias": torch.ones(7)}, 3):
    try:
        print(functional_call(net, bad, (x,)))
    except Exception as e:
        print(type(e).__name__)
print(functional_call(net, {"nope": torch.ones(1)}, (x,), strict=False).shape)
try:
    functional_call(net, {"2.bias": torch.ones(1)}, (x,), strict=True)
except Exception as e:
    print(type(e).__name__)
models = [nn.Linear(2, 1) for _ in range(3)]
for i, m in enumerate(models):
    nn.init.constant_(m.weight, i + 1.0)
    nn.init.zeros_(m.bias)
stacked, buffers = {n: torch.stack([dict(m.named_parameters())[n].detach() for m in models]).requires_grad_() for n, _ in models[0].named_parameters()}, {}
print({k: (v.shape, v.requires_grad, v.is_leaf) for k, v in stacked.items()}, buffers)
base = models[0]
print(vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), (0, 0, None))(stacked, buffers, x).squeeze(-1))
print(jacrev(lambda w: functional_call(base, {"weight": w}, (x,)))(torch.ones(1, 2)).shape)
print(base.weight, base.weight.grad)
