"""nn.Parameter: type, copies, arithmetic, registration."""
import copy
import torch
from torch import nn

p = nn.Parameter(torch.tensor([1.0, 2.0]))
print(p, type(p).__name__, isinstance(p, torch.Tensor), isinstance(p, nn.Parameter), p.is_leaf, p.requires_grad)
print(type(p * 2).__name__, type(p.detach()).__name__, type(p.data).__name__, type(p.clone()).__name__, type(p.view(2)).__name__, type(p[0]).__name__)
print(type(copy.copy(p)).__name__, type(copy.deepcopy(p)).__name__, type(p.to(torch.float32)).__name__, type(p.double()).__name__, type(p.cpu()).__name__)
t = torch.ones(2)
q = nn.Parameter(t)
with torch.no_grad():
    q.add_(1)
print(t, q.data_ptr() == t.data_ptr())
print(nn.Parameter(), nn.Parameter(torch.zeros(0)), nn.Parameter(torch.zeros(2, 2), requires_grad=False).requires_grad)
print(nn.Parameter(data=torch.ones(1), requires_grad=True))
x = torch.ones(1, requires_grad=True) * 2
r = nn.Parameter(x)
print(r, r.is_leaf, r.grad_fn, nn.Parameter(p) is p, isinstance(nn.Parameter(p), nn.Parameter))
for bad in ([1.0, 2.0], 3.0, None, "a"):
    try:
        print(nn.Parameter(bad))
    except Exception as e:
        print(type(e).__name__)
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.plain = torch.ones(2)
        self.register_parameter("none", None)
        self.register_buffer("b", torch.zeros(1))
        self.register_buffer("nb", torch.zeros(1), persistent=False)
m = M()
print([n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], list(m.state_dict()))
print(m.none, m.w, m.b, "w" in m._parameters)
for g in (lambda: setattr(m, "w", torch.zeros(2)), lambda: setattr(m, "b", 3), lambda: setattr(m, "w", None), lambda: setattr(m, "none", nn.Parameter(torch.ones(1))), lambda: m.register_parameter("w.x", nn.Parameter(torch.ones(1))), lambda: m.register_parameter("w", torch.ones(1)), lambda: m.register_buffer("b", torch.ones(2)), lambda: m.register_parameter("new", p * 2), lambda: m.missing, lambda: delattr(m, "none")):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
print([n for n, _ in m.named_parameters()], m.w)
print(p.storage_offset(), p.is_contiguous(), p.element_size(), p.nelement(), p.ndim)
p.grad = torch.ones(2)
d = copy.deepcopy(p)
print(d.grad, d.grad is p.grad, d.requires_grad)
