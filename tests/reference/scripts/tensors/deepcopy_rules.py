"""copy.copy and copy.deepcopy of tensors, parameters, modules."""
import copy
import torch
from torch import nn

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * 2).sum().backward()
d = copy.deepcopy(x)
print(d, d.grad, d.is_leaf, d.grad is x.grad, d.data_ptr() == x.data_ptr())
c = copy.copy(x)
print(c, c.data_ptr() == x.data_ptr(), c is x, c.requires_grad, c.grad)
for bad in (x * 2, [x * 2], {"a": x.sum()}):
    try:
        print(copy.deepcopy(bad))
    except Exception as e:
        print(type(e).__name__)
print(copy.deepcopy((x * 2).detach()))
pair = [x, x, x[:1].detach()]
e = copy.deepcopy(pair)
print(e[0] is e[1], e[0] is x, e[2].data_ptr() == e[0].data_ptr())
base = torch.arange(6.0)
v = base[2:4]
w, u = copy.deepcopy([base, v])
u[0] = 99
print(w, u, u.storage_offset(), base)
t = torch.arange(6).reshape(2, 3).t()
s = copy.deepcopy(t)
print(s.stride(), s.is_contiguous(), s)
b = nn.Linear(2, 1)
b.weight.grad = torch.ones(1, 2)
k = copy.deepcopy(b)
print(k.weight.grad, k.weight is b.weight, torch.equal(k.weight, b.weight), k)
shared = nn.Sequential(b, b)
k = copy.deepcopy(shared)
print(k[0] is k[1], k[0].weight is k[1].weight, len(list(k.parameters())))
x.note = "hello"
print(hasattr(copy.deepcopy(x), "note"), hasattr(copy.copy(x), "note"), hasattr(x.clone(), "note"), hasattr(x.detach(), "note"))
h = []
x.register_hook(lambda g: h.append(1))
y = copy.deepcopy(x)
y.sum().backward()
print(len(h))
print(copy.deepcopy(torch.float32) is torch.float32, copy.deepcopy(torch.Size([1, 2])), copy.deepcopy(torch.device("cpu")))
z = torch.tensor([1 + 1j], requires_grad=True)
print(copy.deepcopy(z), copy.deepcopy(torch.tensor([1, 2])), copy.deepcopy(torch.zeros(0, 2)).shape)
opt = torch.optim.SGD([x], lr=0.1, momentum=0.9)
o = copy.deepcopy(opt)
print(o.param_groups[0]["params"][0] is x, o.param_groups[0]["lr"])
m, op = copy.deepcopy((nn.Linear(1, 1), 3))
print(m, op, x._version)
