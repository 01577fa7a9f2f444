"""Counting, freezing and initialising parameters by name."""
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 10))
def count(m, trainable=False):
    return sum(p.numel() for p in m.parameters() if p.requires_grad or not trainable)
print(count(net), count(net, True))
for n, p in net.named_parameters():
    if n.endswith("bias"):
        nn.init.zeros_(p)
    elif p.dim() > 1:
        nn.init.xavier_uniform_(p, gain=nn.init.calculate_gain("relu"))
    else:
        nn.init.ones_(p)
print({n: (tuple(p.shape), round(p.abs().sum().item(), 3)) for n, p in net.named_parameters()})
for n, p in net.named_parameters():
    p.requires_grad = n.startswith("4")
print(count(net, True), [n for n, p in net.named_parameters() if p.requires_grad])
decay = [p for n, p in net.named_parameters() if p.ndim > 1]
rest = [p for n, p in net.named_parameters() if p.ndim <= 1]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=1e-3)
print(opt)
print([len(g["params"]) for g in opt.param_groups])
net(torch.ones(2, 1, 4, 4)).sum().backward()
opt.step()
print([p.grad is not None for p in net.parameters()], len(opt.state))
w = torch.empty(3, 5)
for f in (nn.init.xavier_normal_, nn.init.kaiming_uniform_, nn.init.orthogonal_, nn.init.trunc_normal_, nn.init.eye_):
    f(w)
    print(f.__name__, w.shape, w.requires_grad, bool(torch.isfinite(w).all()), w.grad_fn)
p = nn.Parameter(torch.empty(2, 2))
nn.init.uniform_(p, 0, 1)
print(p.requires_grad, p.is_leaf, p.grad_fn, bool((p >= 0).all()), nn.init._calculate_fan_in_and_fan_out(torch.empty(4, 3, 2, 2)))
