"""Attributes set on tensors and modules; subclassing Tensor and Parameter."""
import torch
from torch import nn

t = torch.ones(2)
t.tag = {"a": 1}
print(t.tag, hasattr(t + 1, "tag"), vars(t) if hasattr(t, "__dict__") else None)
del t.tag
print(hasattr(t, "tag"))
class Scaled(nn.Parameter):
    pass
s = Scaled(torch.ones(2))
print(type(s).__name__, isinstance(s, nn.Parameter), s.requires_grad)
class M(nn.Module):
    kind = "toy"
    def __init__(self):
        super().__init__()
        self.s = s
        self.cfg = {"lr": 1}
        self.tensors = [torch.zeros(1)]
        self.hidden = [nn.Linear(1, 1)]
m = M()
print([n for n, _ in m.named_parameters()], m.kind, m.cfg, hasattr(m, "nope"), getattr(m, "nope", "default"))
print(m, m._get_name(), m.training, list(m._modules), sorted(k for k in m.__dict__ if not k.startswith("_")))
del m.s
print(list(m.parameters()), hasattr(m, "s"))
m.child = nn.Linear(1, 1)
print(m)
m.child = None
print(m, list(m.children()))
class MyT(torch.Tensor):
    pass
k = torch.ones(2).as_subclass(MyT)
print(type(k).__name__, isinstance(k, torch.Tensor), torch.is_tensor(k))
print(callable(m), bool(m), m == m, m is not None, {m: 1}[m], len([m]))
print(dir(torch.ones(1)).count("backward"), "grad" in dir(t), "register_hook" in dir(t))
print(isinstance(nn.Linear(1, 1), nn.Module), issubclass(nn.Linear, nn.Module), nn.Linear.__name__)
print(torch.Tensor.add(torch.ones(1), 2), torch.Tensor.sum(torch.ones(3)), torch.Tensor.__add__(torch.ones(1), 1))
list_of = list(map(torch.Tensor.item, [torch.tensor(1), torch.tensor(2.5)]))
print(list_of, t.__class__ is torch.Tensor, t.__len__(), t.__bool__() if t.numel() == 1 else "no")
