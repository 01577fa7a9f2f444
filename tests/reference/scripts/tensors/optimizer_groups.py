"""Parameter groups, add_param_group, repr, param_groups, defaults."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
opt = torch.optim.SGD([{"params": net[0].parameters()}, {"params": [net[1].weight], "lr": 0.01, "momentum": 0.5}], lr=0.1, weight_decay=1e-3)
opt.add_param_group({"params": net[1].bias, "lr": 1.0})
print(len(opt.param_groups), [len(g["params"]) for g in opt.param_groups], [g["lr"] for g in opt.param_groups], [g["momentum"] for g in opt.param_groups])
print(sorted(k for k in opt.param_groups[0] if k != "params"))
print({k: opt.defaults[k] for k in ("lr", "momentum", "weight_decay", "nesterov", "dampening")})
for bad in ({"params": net[0].weight}, {"params": {net[0].weight}}, [1], {"lr": 1}):
    try:
        opt.add_param_group(bad)
        print("added")
    except Exception as e:
        print(type(e).__name__)
for g in opt.param_groups:
    g["lr"] *= 0.1
print([round(g["lr"], 6) for g in opt.param_groups])
for n, p in net.named_parameters():
    nn.init.ones_(p)
net(torch.ones(1, 2)).sum().backward()
opt.step()
for n, p in net.named_parameters():
    print(n, p.data)
opt = torch.optim.Adam(net.named_parameters(), lr=0.1)
print(opt.param_groups[0].get("param_names"))
