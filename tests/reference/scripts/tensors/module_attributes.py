"""Registering parameters, buffers and modules by assignment."""

import torch
from torch import nn


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.t = torch.zeros(2)
        self.register_buffer("running", torch.zeros(1))
        self.register_buffer("scratch", torch.ones(1), persistent=False)
        self.register_parameter("none", None)
        self.layers = nn.ModuleList([nn.Linear(1, 1), nn.ReLU()])
        self.table = nn.Sequential(nn.Identity(), nn.Tanh())
        self.plain = [nn.Linear(1, 1)]


m = M()
print([n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], [n for n, _ in m.named_modules()])
print([n for n, _ in m.named_children()], list(m.state_dict()), len(list(m.modules())), len(list(m.children())))
print(m.none, "w" in dict(m.named_parameters()), hasattr(m, "nothing"), m.get_submodule("layers.0").bias.shape)
try:
    m.w = torch.ones(2)
except TypeError as err:
    print(type(err).__name__)
try:
    m.nothing
except AttributeError as err:
    print(type(err).__name__, "has no attribute 'nothing'" in str(err))
del m.w
print([n for n, _ in m.named_parameters()])
m.running = torch.ones(3)
print(m.running, m.state_dict()["running"])
m.t = nn.Parameter(torch.ones(1)) if False else m.t
try:
    class Bad(nn.Module):
        def __init__(self):
            self.w = nn.Parameter(torch.ones(1))

    Bad()
except AttributeError as err:
    print(type(err).__name__)
for bad in ("a.b", "", 3):
    try:
        m.register_buffer(bad, torch.ones(1))
    except (KeyError, TypeError) as err:
        print(type(err).__name__)
