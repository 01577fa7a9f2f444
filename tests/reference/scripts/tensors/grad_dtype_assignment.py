"""grad of another dtype, device or layout, and casting models after backward."""
import warnings
import torch
from torch import nn

warnings.simplefilter("ignore")  # of a gradient that lies in memory in another way

p = nn.Parameter(torch.ones(2))
(p * 3).sum().backward()
print(p.grad)
p.data = p.data.double()
print(p.dtype, p.grad.dtype)
p.grad = None
(p * 2).sum().backward()
print(p.grad, p.grad.dtype)
m = nn.Linear(2, 1)
with torch.no_grad():
    m.weight.fill_(1)
    m.bias.fill_(0)
m(torch.ones(1, 2)).sum().backward()
w = m.weight
print(m.weight.grad)
m.double()
print(m.weight is w, m.weight.dtype, m.weight.grad, m.weight.grad.dtype)
m.half()
print(m.weight.grad.dtype, m.weight)
m.float()
m(torch.ones(1, 2)).sum().backward()
print(m.weight.grad, m.weight.is_leaf)
m.to(torch.bfloat16)
print(m.weight, m.bias.grad)
opt = torch.optim.SGD(m.parameters(), lr=0.5)
opt.step()
print(m.weight, m.bias)
x = torch.zeros(2, requires_grad=True)
for bad in (torch.zeros(2, dtype=torch.float16), torch.zeros(3), torch.zeros(1, 2), torch.zeros(2, dtype=torch.int64), "g", 1.0, [0.0, 0.0], x):
    try:
        x.grad = bad
        print("assigned", x.grad)
    except Exception as e:
        print(type(e).__name__)
x.grad = torch.arange(4.0)[::2]
print(x.grad, x.grad.stride())
(x * 1).sum().backward()
print(x.grad, x.grad.stride())
x.grad = torch.ones(1).expand(2)
try:
    (x * 1).sum().backward()
    print(x.grad)
except Exception as e:
    print(type(e).__name__)
x.grad = torch.ones(2).requires_grad_()
print(x.grad.requires_grad)
try:
    (x * 1).sum().backward()
    print(x.grad, x.grad.requires_grad)
except Exception as e:
    print(type(e).__name__)
del x.grad
print(x.grad, hasattr(x, "grad"))
