"""Renaming, filtering and moving entries of state dicts; keep_vars and assign."""

import torch
from torch import nn

a = nn.Linear(2, 2)
sd = {f"module.{k}": v for k, v in a.state_dict().items()}
b = nn.Linear(2, 2)
print(b.load_state_dict({k.removeprefix("module."): v for k, v in sd.items()}))
print(torch.equal(a.weight, b.weight), a.state_dict(keep_vars=True)["weight"] is a.weight, a.state_dict(prefix="x.").keys())
c = nn.Linear(2, 2)
w = torch.ones(2, 2)
c.load_state_dict({"weight": w, "bias": torch.zeros(2)}, assign=True)
print(c.weight, c.weight.data_ptr() == w.data_ptr(), type(c.weight).__name__)
d = nn.Linear(2, 2, dtype=torch.float64)
d.load_state_dict(a.state_dict())
print(d.weight.dtype, torch.allclose(d.weight.float(), a.weight))
snapshot = {k: v.clone() for k, v in a.state_dict().items()}
with torch.no_grad():
    a.weight.zero_()
a.load_state_dict(snapshot)
print(torch.equal(a.weight, snapshot["weight"]), a.weight.requires_grad, a.weight.grad_fn)
try:
    a.load_state_dict([1, 2])
except TypeError as err:
    print(type(err).__name__)
try:
    a.load_state_dict({"weight": "text", "bias": torch.zeros(2)})
except RuntimeError as err:
    print(type(err).__name__)
