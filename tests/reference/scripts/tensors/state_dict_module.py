"""state_dict, load_state_dict: strictness, keys, copies and identity."""
from collections import OrderedDict
import torch
from torch import nn

a = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
b = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
sd = a.state_dict()
print(type(sd).__name__, list(sd), sd["0.weight"].requires_grad, sd["1.num_batches_tracked"])
print(sd["0.weight"].data_ptr() == a[0].weight.data_ptr(), type(sd["0.weight"]).__name__)
kept = a.state_dict(keep_vars=True)
print(type(kept["0.weight"]).__name__, kept["0.weight"] is a[0].weight)
old = b[0].weight
print(b.load_state_dict(sd))
print(old is b[0].weight, torch.equal(a[0].weight, b[0].weight), b[0].weight.requires_grad)
with torch.no_grad():
    a[0].weight.add_(1)
print(torch.equal(a[0].weight, b[0].weight))
part = OrderedDict((k, v) for k, v in sd.items() if k.startswith("0."))
r = b.load_state_dict(part, strict=False)
print(r.missing_keys, r.unexpected_keys)
print(r)
for bad in (part, {**sd, "extra": torch.ones(1)}, {**sd, "0.weight": torch.ones(3, 3)}):
    try:
        print(b.load_state_dict(bad))
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
try:
    b.load_state_dict({**sd, "0.weight": torch.ones(3, 3)}, strict=False)
except Exception as e:
    print(type(e).__name__, str(e).split("\n")[0])
print(list(a.state_dict(prefix="net.")))
half = {k: v.half() if v.is_floating_point() else v for k, v in sd.items()}
b.load_state_dict(half)
print(b[0].weight.dtype)
c = nn.Linear(2, 2)
c.load_state_dict({"weight": torch.eye(2), "bias": torch.zeros(2)}, assign=True)
print(c.weight, type(c.weight).__name__, c.weight.requires_grad)
