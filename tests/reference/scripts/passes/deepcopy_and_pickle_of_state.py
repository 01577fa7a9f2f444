"""deepcopy and pickle: leaves with gradients, refusal of non-leaves, modules with hooks."""

import copy
import pickle
import torch
from torch import nn

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * 3).sum().backward()
y = copy.deepcopy(x)
print(y, y.grad, y is x, y.grad is x.grad, y.is_leaf)
(y * 2).sum().backward()
print(x.grad, y.grad)
try:
    copy.deepcopy(x * 2)
except RuntimeError as e:
    print(type(e).__name__, "graph leaves" in str(e))
z = pickle.loads(pickle.dumps(x))
print(z, z.requires_grad, z.grad)
s = copy.copy(x)
print(s.data_ptr() == x.data_ptr(), s is x)
net = nn.Linear(1, 1)
net(torch.ones(1, 1)).backward()
twin = copy.deepcopy(net)
print(
    torch.equal(twin.weight, net.weight),
    twin.weight is net.weight,
    twin.weight.grad,
    [n for n, _ in twin.named_parameters()],
)
with torch.no_grad():
    twin.weight.add_(1)
print(torch.equal(twin.weight, net.weight))
pair = copy.deepcopy({"a": x, "b": x})
print(pair["a"] is pair["b"])
