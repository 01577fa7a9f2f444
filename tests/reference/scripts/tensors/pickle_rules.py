"""pickle and torch.save/load round trips."""
import io
import pickle
import torch
from torch import nn

def trip(v):
    return pickle.loads(pickle.dumps(v))
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
print(trip(x), trip(x).is_leaf, trip(x.detach()).requires_grad, trip(x.t().detach()).stride())
(x * 3).sum().backward()
print(trip(x).grad)
p = nn.Parameter(torch.ones(2))
print(trip(p), type(trip(p)).__name__)
for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.bool, torch.complex64):
    print(trip(torch.ones(2, dtype=dtype)))
for bad in (x * 2, [x.sum()]):
    try:
        print(trip(bad))
    except Exception as e:
        print(type(e).__name__)
base = torch.arange(4.0)
b, v = trip((base, base[1:3]))
v[0] = 50
print(b, v)
buffer = io.BytesIO()
torch.save({"x": x, "n": 3, "s": "text", "list": [torch.ones(1)]}, buffer)
buffer.seek(0)
d = torch.load(buffer)
print(d, d["x"].requires_grad)
net = nn.Linear(2, 1)
buffer = io.BytesIO()
torch.save(net.state_dict(), buffer)
buffer.seek(0)
other = nn.Linear(2, 1)
print(other.load_state_dict(torch.load(buffer, weights_only=True)), torch.equal(net.weight, other.weight))
m = trip(net)
print(m, torch.equal(m.weight, net.weight), m.weight.requires_grad)
print(trip(torch.float32), trip(torch.Size([1])), trip(torch.device("cpu")), trip(torch.zeros(0)))
print(trip(torch.tensor(5)), trip(torch.ones(2, 3).expand(4, 2, 3)).stride())
