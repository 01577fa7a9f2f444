"""Hooks for all modules, and several kinds of module hooks together."""
import torch
from torch import nn
from torch.nn.modules import module as M

log = []
handles = [
    M.register_module_forward_pre_hook(lambda m, i: log.append(("pre", type(m).__name__))),
    M.register_module_forward_hook(lambda m, i, o: log.append(("fwd", type(m).__name__))),
    M.register_module_full_backward_pre_hook(lambda m, go: log.append(("bpre", type(m).__name__))),
    M.register_module_full_backward_hook(lambda m, gi, go: log.append(("bwd", type(m).__name__, [None if g is None else tuple(g.shape) for g in gi]))),
]
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
x = torch.ones(1, 2, requires_grad=True)
net(x).sum().backward()
for e in log:
    print(*e)
log.clear()
net[0].register_full_backward_hook(lambda m, gi, go: log.append("own"))
net[0].register_forward_hook(lambda m, i, o: log.append("own fwd"), prepend=True)
net(x).sum().backward()
print(log)
for h in handles:
    h.remove()
log.clear()
net(x).sum().backward()
print(log)
log.clear()


class Two(nn.Module):
    def forward(self, a, b=None, *, scale=1.0):
        return {"s": (a + b) * scale, "d": a - b} if b is not None else a * scale


two = Two()
two.register_forward_pre_hook(lambda m, args, kwargs: ((args[0] * 2, *args[1:]), {**kwargs, "scale": 3.0}), with_kwargs=True)
two.register_forward_hook(lambda m, args, kwargs, out: log.append((len(args), sorted(kwargs))), with_kwargs=True)
a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
print(two(a, b), log)
print(two(a))
try:
    two.register_full_backward_hook(lambda m, gi, go: log.append("dict"))
    out = two(a, b)
    out["s"].sum().backward()
    print(log[-1], a.grad)
except Exception as e:
    print(type(e).__name__)
m = nn.Linear(2, 2)
calls = []
m.register_forward_hook(lambda *a: calls.append("always"), always_call=True)
m.register_forward_pre_hook(lambda m, i: (_ for _ in ()).throw(ValueError("pre")))
try:
    m(torch.ones(1, 2))
except ValueError as e:
    print(e, calls)
k = nn.Linear(2, 2)
nn.init.ones_(k.weight)
h = k.register_full_backward_hook(lambda m, gi, go: tuple(g * 0 for g in gi))
inp = torch.ones(1, 2, requires_grad=True)
k(inp).sum().backward()
print(inp.grad)
h.remove()
k.zero_grad()
with torch.no_grad():
    print(k(inp).requires_grad)
for p in k.parameters():
    p.register_hook(lambda g: g * 0 + 7)
k(inp).sum().backward()
print(k.weight.grad, k.bias.grad)
k.register_state_dict_post_hook if hasattr(k, "register_state_dict_post_hook") else None
print(len(k._forward_hooks), len(k._backward_hooks), len(m._forward_hooks), len(m._forward_pre_hooks))
