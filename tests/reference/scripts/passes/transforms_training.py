"""Training with torch.func: functional parameters, vmapped ensembles, meta-gradients."""
import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value, jacrev, vmap

net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() + k).view_as(p))
params = {k: v.detach().clone() for k, v in net.named_parameters()}
X, y = torch.tensor([[0.0, 1.0], [1.0, 0.5], [-1.0, 2.0]]), torch.tensor([[1.0], [0.0], [-1.0]])


def loss(params, X, y):
    return ((functional_call(net, params, (X,)) - y) ** 2).mean()


for k in range(3):
    g, v = grad_and_value(loss)(params, X, y)
    params = {n: p - 0.1 * g[n] for n, p in params.items()}
    print(k, v, v.requires_grad)
print(params["2.bias"], net[2].bias)
nets = [nn.Linear(2, 1) for _ in range(3)]
for k, m in enumerate(nets):
    nn.init.constant_(m.weight, k + 1.0)
    nn.init.constant_(m.bias, -k)
ps, bs = {n: torch.stack([dict(m.named_parameters())[n].detach() for m in nets]).requires_grad_() for n, _ in nets[0].named_parameters()}, {}
base = nn.Linear(2, 1).to("meta")
out = vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))(ps, bs, X)
print(out.shape, out.squeeze(-1).detach())
out.sum().backward()
print(ps["weight"].grad, ps["bias"].grad)


def task_loss(w, t):
    inner = lambda w: ((w * t[0] - t[1]) ** 2).sum()
    fast = w - 0.1 * grad(inner)(w)
    return ((fast * t[2] - t[3]) ** 2).sum()


tasks = torch.tensor([[1.0, 2.0, 0.5, 1.0], [0.5, -1.0, 1.0, 0.0]])
w = torch.tensor([0.3, -0.2])
print(vmap(task_loss, (None, 0))(w, tasks), grad(lambda w: vmap(task_loss, (None, 0))(w, tasks).mean())(w))
print(vmap(grad(task_loss), (None, 0))(w, tasks))
J = jacrev(lambda p: functional_call(net, p, (X,)).squeeze(-1))(params)
print({n: tuple(j.shape) for n, j in J.items()})
ntk = sum(j.flatten(1) @ j.flatten(1).T for j in J.values())
print(ntk.shape, torch.allclose(ntk, ntk.T), ntk[0])
bn = nn.BatchNorm1d(2)
buf = {n: b.clone() for n, b in bn.named_buffers()}
out = functional_call(bn, ({n: p.detach() for n, p in bn.named_parameters()}, buf), (X,))
print(buf["running_mean"], bn.running_mean, out.shape)
