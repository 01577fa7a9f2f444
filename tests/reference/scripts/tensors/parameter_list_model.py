"""Models built from ParameterList, ParameterDict and plain lists."""
import torch
from torch import nn
class Mix(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.ws = nn.ParameterList([nn.Parameter(torch.full((2,), float(k + 1))) for k in range(n)])
        self.d = nn.ParameterDict({"alpha": nn.Parameter(torch.tensor(0.5)), "beta": torch.ones(2)})
        self.plain = [nn.Parameter(torch.ones(1))]
        self.layers = [nn.Linear(1, 1)]
    def forward(self, x):
        for w in self.ws:
            x = x * w
        return (x * self.d["alpha"] + self.d["beta"]).sum()
m = Mix(3)
print(m)
print([n for n, _ in m.named_parameters()], len(list(m.parameters())), list(m.state_dict()))
out = m(torch.ones(2))
out.backward()
print(out, [p.grad for p in m.ws], m.d["alpha"].grad, m.d.beta.grad if hasattr(m.d, "beta") else None)
print(len(m.ws), [tuple(p.shape) for p in m.ws])
m.ws.append(torch.zeros(2))
m.ws.extend([nn.Parameter(torch.ones(1))])
m.ws += [nn.Parameter(torch.ones(1))]
print(len(m.ws), type(m.ws[3]).__name__, m.ws[3].requires_grad, [n for n, _ in m.ws.named_parameters()])
m.ws[0] = nn.Parameter(torch.zeros(2))
print(m.ws[0], list(m.d.items()), list(m.d), m.d.keys(), "alpha" in m.d, m.d.get("nope"), len(m.d))
m.d["gamma"] = nn.Parameter(torch.ones(1))
m.d.update({"delta": nn.Parameter(torch.ones(2))})
print(list(m.d.keys()), m.d.pop("gamma"), m.d.setdefault("eps", nn.Parameter(torch.zeros(1))), list(m.d.values())[0])
del m.d["delta"]
m.d.clear()
print(len(m.d), m.d)
for f in (lambda: m.d["nope"], lambda: m.ws[10], lambda: m.ws["a"], lambda: nn.ParameterList(3), lambda: m.ws.append(3) and len(m.ws), lambda: nn.ParameterDict([("k", torch.ones(1))]), lambda: nn.ModuleList(nn.Linear(1, 1)), lambda: nn.ModuleDict({"a": 3}), lambda: nn.ModuleList([1]), lambda: nn.Sequential(torch.relu)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
seq = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
seq.insert(1, nn.Tanh())
seq.extend([nn.Sigmoid()])
print(seq, seq.pop(0), len(seq), seq[0], seq[-1], [n for n, _ in seq.named_children()], nn.Sequential(*list(seq)[:2]))
from collections import OrderedDict
o = nn.Sequential(OrderedDict([("fc", nn.Linear(1, 1)), ("act", nn.ReLU())]))
print(o, o.fc, o[0] is o.fc, o + nn.Sequential(nn.Tanh()) if hasattr(nn.Sequential, "__add__") else "")
