"""Pickling whole training state in memory, exactly restored."""
import io
import pickle
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 2)
opt = torch.optim.AdamW(model.parameters(), lr=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=10)
data = torch.randn(6, 3)
def train(m, o, s, n):
    for _ in range(n):
        o.zero_grad()
        m(data).pow(2).mean().backward()
        o.step()
        s.step()
train(model, opt, sched, 3)
buf = io.BytesIO()
torch.save({"m": model.state_dict(), "o": opt.state_dict(), "s": sched.state_dict(), "rng": torch.get_rng_state(), "step": 3}, buf)
train(model, opt, sched, 2)
want = [p.clone() for p in model.parameters()]
buf.seek(0)
ck = torch.load(buf)
m2 = nn.Linear(3, 2)
o2 = torch.optim.AdamW(m2.parameters(), lr=0.5)
s2 = torch.optim.lr_scheduler.CosineAnnealingLR(o2, T_max=10)
m2.load_state_dict(ck["m"])
o2.load_state_dict(ck["o"])
s2.load_state_dict(ck["s"])
print(ck["step"], sorted(ck), s2.last_epoch, o2.param_groups[0]["lr"] == ck["o"]["param_groups"][0]["lr"])
train(m2, o2, s2, 2)
print([torch.equal(a, b) for a, b in zip(want, m2.parameters())], s2.get_last_lr() == sched.get_last_lr())
whole = pickle.loads(pickle.dumps({"model": model, "opt": opt}))
print(whole["model"], type(whole["opt"]).__name__)
same = whole["opt"].param_groups[0]["params"][0] is whole["model"].weight
print(same, whole["model"].weight.requires_grad, len(whole["opt"].state))
t = torch.arange(4.0).view(2, 2)
t.extra = "note"
u = pickle.loads(pickle.dumps(t))
print(u, hasattr(u, "extra"))
l = pickle.loads(pickle.dumps([t, t]))
print(l[0] is l[1])
p = pickle.loads(pickle.dumps(nn.Parameter(torch.ones(1), requires_grad=False)))
print(p, p.requires_grad, type(p).__name__)
with torch.no_grad():
    v = torch.ones(2, requires_grad=True) * 2
print(pickle.loads(pickle.dumps(v)))
g = torch.ones(1, requires_grad=True)
(g * 3).backward()
print(pickle.loads(pickle.dumps(g)).grad, pickle.loads(pickle.dumps(g.grad)))
