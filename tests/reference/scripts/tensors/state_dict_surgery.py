"""Renaming, filtering and merging state dicts; strict and non-strict loads; hooks."""
from collections import OrderedDict
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        self.head = nn.Linear(3, 1)
a, b = Net(), Net()
sd = a.state_dict()
print(type(sd), list(sd.keys()), len(sd))
prefixed = OrderedDict(("module." + k, v) for k, v in sd.items())
try:
    b.load_state_dict(prefixed)
except RuntimeError as e:
    print(type(e).__name__, "Missing" in str(e), "Unexpected" in str(e))
stripped = {k.removeprefix("module."): v for k, v in prefixed.items()}
print(b.load_state_dict(stripped), torch.equal(a.head.weight, b.head.weight))
res = b.load_state_dict({k: v for k, v in sd.items() if not k.startswith("head")}, strict=False)
print(res.missing_keys, res.unexpected_keys, bool(res.missing_keys))
res = b.load_state_dict({**sd, "extra.weight": torch.ones(1)}, strict=False)
print(res.unexpected_keys, res)
own = b.state_dict()
own.update({"head.bias": torch.tensor([7.0])})
b.load_state_dict(own)
print(b.head.bias)
own["head.bias"].fill_(3)
print(b.head.bias, own["head.bias"].requires_grad)
sd["head.bias"].add_(100)
print(a.head.bias > 50)
print(b.head.load_state_dict({"weight": torch.zeros(1, 3), "bias": torch.zeros(1)}), b.head.weight)
print({k: tuple(v.shape) for k, v in b.body.state_dict(prefix="p.").items()})
c = nn.Linear(3, 1)
for bad in ({}, {"weight": torch.zeros(1, 3)}, {"weight": torch.zeros(3, 1), "bias": torch.zeros(1)}, {"weight": [1, 2], "bias": torch.zeros(1)}, None, [1], {"weight": torch.zeros(1, 3, dtype=torch.int64), "bias": torch.zeros(1)}, {"weight": nn.Parameter(torch.zeros(1, 3)), "bias": torch.zeros(1).requires_grad_()}):
    try:
        print(c.load_state_dict(bad))
    except Exception as e:
        print(type(e).__name__)
d = nn.Linear(2, 2)
d.load_state_dict(OrderedDict(weight=torch.ones(2, 2, dtype=torch.float64), bias=torch.zeros(2)), assign=True)
print(d.weight.dtype, d.bias.requires_grad, type(d.weight).__name__)
with torch.no_grad():
    for (n1, p1), (n2, p2) in zip(a.named_parameters(), b.named_parameters()):
        assert n1 == n2
        p1.copy_((p1 + p2) / 2)
print(a.body[0].weight.grad_fn, a.body[1].num_batches_tracked.dtype)
