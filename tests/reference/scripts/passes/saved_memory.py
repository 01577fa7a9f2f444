"""Counting what a graph keeps, by saved-tensor hooks."""
import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks


class Meter:
    def __init__(self):
        self.bytes, self.seen = 0, []

    def pack(self, t):
        self.bytes += t.numel() * t.element_size()
        self.seen.append((tuple(t.shape), str(t.dtype)))
        return t

    def measure(self, f):
        self.bytes, self.seen = 0, []
        with saved_tensors_hooks(self.pack, lambda t: t):
            out = f()
        return out, self.bytes, self.seen


m = Meter()
x = torch.ones(4, 3, requires_grad=True)
w = torch.ones(3, 2, requires_grad=True)
for name, f in {
    "add": lambda: x + x, "mul": lambda: x * x, "mul const": lambda: x * 2.0, "exp": lambda: x.exp(), "sum": lambda: x.sum(),
    "matmul": lambda: x @ w, "matmul no w": lambda: x @ w.detach(), "relu": lambda: x.relu(), "tanh": lambda: x.tanh(),
    "pow": lambda: x ** 3, "mean": lambda: x.mean(), "view": lambda: x.view(12), "cat": lambda: torch.cat([x, x]),
    "clamp": lambda: x.clamp(0, 2), "abs": lambda: x.abs(), "log_softmax": lambda: x.log_softmax(1), "gelu": lambda: nn.functional.gelu(x),
    "silu": lambda: nn.functional.silu(x), "index": lambda: x[torch.tensor([0, 2])],
    "max": lambda: x.max(1)[0], "sort": lambda: x.sort(1)[0], "sigmoid": lambda: x.sigmoid(), "sqrt": lambda: x.sqrt(),
    "where": lambda: torch.where(x > 0, x, x * 2), "masked_fill": lambda: x.masked_fill(x > 2, 0.0), "cumsum": lambda: x.cumsum(0),
    "prod": lambda: x.prod(1), "linear": lambda: nn.functional.linear(x, w.t()), "leaky": lambda: nn.functional.leaky_relu(x),
    "softplus": lambda: nn.functional.softplus(x), "elu": lambda: nn.functional.elu(x), "div": lambda: x / (x + 1),
    "topk": lambda: x.topk(2)[0], "atan2": lambda: torch.atan2(x, x), "log": lambda: x.log(), "softmax": lambda: x.softmax(0),
    "std": lambda: x.std(), "var": lambda: x.var(0), "amax": lambda: x.amax(0), "maximum": lambda: torch.maximum(x, x),
    "bmm": lambda: torch.bmm(x.unsqueeze(0), w.unsqueeze(0)), "outer": lambda: torch.outer(x[0], w[0]), "erf": lambda: x.erf(),
}.items():
    out, n, seen = m.measure(f)
    print(name, n, sorted(seen))
with torch.no_grad():
    print(m.measure(lambda: x * x)[1:])
net = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 1))
out, n, seen = m.measure(lambda: net(x.detach()))
print(n, sorted(seen))
for p in net[0].parameters():
    p.requires_grad_(False)
print(m.measure(lambda: net(x.detach()))[1])
out, n, _ = m.measure(lambda: torch.utils.checkpoint.checkpoint(net, x, use_reentrant=False))
out.sum().backward()
print(x.grad.shape)
