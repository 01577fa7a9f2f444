"""torch.save and torch.load through memory and files."""

import io
import os
import tempfile

import torch
from torch import nn

buffer = io.BytesIO()
x = torch.tensor([1.0, 2.0], requires_grad=True)
torch.save({"x": x, "y": x.detach() * 2, "n": 3, "s": "text", "l": [torch.arange(2)]}, buffer)
buffer.seek(0)
d = torch.load(buffer)
print(d, d["x"].requires_grad, d["x"].is_leaf)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.pt")
    model = nn.Linear(2, 1)
    torch.save(model.state_dict(), path)
    other = nn.Linear(2, 1)
    print(other.load_state_dict(torch.load(path)), torch.equal(model.weight, other.weight))
    torch.save(torch.arange(3), path)
    print(torch.load(path, map_location="cpu"), torch.load(path, weights_only=True))
base = torch.zeros(4)
buffer = io.BytesIO()
torch.save([base[:2], base[2:], base], buffer)
buffer.seek(0)
p, q, r = torch.load(buffer)
r += 1
print(p, q, r)
y = x * 2
buffer = io.BytesIO()
torch.save(y, buffer)
buffer.seek(0)
z = torch.load(buffer)
print(z, z.is_leaf, z.requires_grad)
