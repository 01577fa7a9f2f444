"""Modules with __getstate__, __setstate__, __deepcopy__, properties and tensors outside state."""
import copy
import pickle
import torch
from torch import nn
class Odd(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.w = nn.Parameter(torch.arange(float(n)))
        self.cache = {}
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
    @property
    def doubled(self):
        return self.w * 2
    @property
    def broken(self):
        return self.nope
    def __getstate__(self):
        s = self.__dict__.copy()
        s["cache"] = {"dropped": True}
        return s
    def __setstate__(self, s):
        super().__setstate__(s)
        self.restored = True
    def forward(self, x):
        self.steps += 1
        self.cache["last"] = x
        return (self.doubled * x).sum()
m = Odd(3)
y = m(torch.ones(3))
y.backward()
print(y, m.w.grad, m.steps, m.doubled, m.doubled.grad_fn is not None)
c = copy.deepcopy(m)
print(c.cache, c.restored, c.w is m.w, torch.equal(c.w, m.w), c.steps, c.w.grad)
p = pickle.loads(pickle.dumps(m))
print(p.cache, p.n, p.w, p.steps, p.w.grad is None, list(p.state_dict()))
s = copy.copy(m)
print(s.w is m.w, s.cache is m.cache, s._parameters is m._parameters)
for f in (lambda: m.broken, lambda: setattr(m, "doubled", 3), lambda: m(torch.ones(2)), lambda: delattr(m, "w") or m.doubled):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
class Lazy(nn.Module):
    def forward(self, x):
        if not hasattr(self, "lin"):
            self.lin = nn.Linear(x.shape[-1], 1, bias=False)
            nn.init.ones_(self.lin.weight)
        return self.lin(x)
l = Lazy()
print(list(l.parameters()), l(torch.ones(1, 3)), len(list(l.parameters())), l)
class Slots(nn.Module):
    __constants__ = ["k"]
    def __init__(self, k=2, **kw):
        super().__init__(**kw)
        self.k = k
    def __call__(self, *a, **k):
        return super().__call__(*a, **k)
    def forward(self, x, *, scale=1):
        return x * self.k * scale
    def __len__(self):
        return 0
    def __repr__(self):
        return f"<Slots {self.k}>"
q = Slots(3)
print(q, nn.Sequential(q), q(torch.ones(1), scale=2), bool(q), q.k)
