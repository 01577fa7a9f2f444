"""Module hooks: forward, pre-forward, full backward, with returns and removals."""
import torch
from torch import nn

log = []
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)
net[0].register_forward_pre_hook(lambda m, inp: log.append(("pre", inp)))
net[0].register_forward_hook(lambda m, inp, out: log.append(("fwd", out)))
h = net[0].register_full_backward_hook(lambda m, gi, go: log.append(("bwd", gi, go)))
net[2].register_full_backward_pre_hook(lambda m, go: log.append(("bpre", go)))
x = torch.tensor([[1.0, 2.0]], requires_grad=True)
out = net(x)
print(out, out.grad_fn)
out.sum().backward()
for entry in log:
    print(entry)
log.clear()
h.remove()
net[0].register_full_backward_hook(lambda m, gi, go: (gi[0] * 10,))
net[2].register_full_backward_pre_hook(lambda m, go: (go[0] * 3,))
x.grad = None
net(x).sum().backward()
print(x.grad, net[0].weight.grad)
r = nn.ReLU()
r.register_forward_hook(lambda m, i, o: o * 2)
r.register_forward_pre_hook(lambda m, i: (i[0] + 1,))
print(r(torch.tensor([-2.0, 1.0])))
r2 = nn.Linear(1, 1)
r2.register_forward_hook(lambda m, a, kw, o: print("kw", a, kw), with_kwargs=True)
r2.register_forward_pre_hook(lambda m, a, kw: ((a[0] * 0,), kw), with_kwargs=True)
nn.init.ones_(r2.weight), nn.init.ones_(r2.bias)
print(r2(torch.ones(1)), r2(input=torch.ones(1)) if False else "")
acts = {}
for name, m in net.named_modules():
    m.register_forward_hook(lambda m, i, o, name=name: acts.__setitem__(name, tuple(o.shape)))
net(torch.ones(4, 2))
print(acts)
m = nn.Linear(2, 2)
m.register_full_backward_hook(lambda m, gi, go: (torch.ones(3),))
try:
    m(torch.ones(1, 2, requires_grad=True)).sum().backward()
    print("ok")
except Exception as e:
    print(type(e).__name__)
m2 = nn.Linear(2, 2)
nn.init.constant_(m2.weight, 0.5)
m2.register_full_backward_hook(lambda m, gi, go: print("no input grad", gi, go))
m2(torch.ones(1, 2)).sum().backward()
m2(torch.ones(1, 2, requires_grad=True)).mul(2).sum().backward()
