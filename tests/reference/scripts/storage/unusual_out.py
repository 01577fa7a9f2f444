"""out= with views, wrong shapes, two outputs, and under no_grad."""

import torch
import warnings

buf = torch.zeros(3, 4)
torch.add(torch.ones(4), 1, out=buf[1])
torch.mul(torch.arange(3.0), 2, out=buf[:, 0])
print(buf, buf._version)
torch.sum(torch.ones(2, 3, 4), 0, out=buf)
print(buf)
vals, idx = torch.zeros(3), torch.zeros(3, dtype=torch.long)
torch.max(buf * torch.arange(4.0), 1, out=(vals, idx))
print(vals, idx)
r = torch.sort(torch.tensor([2.0, 3.0, 1.0]), descending=True, out=(vals, idx))
print(type(r).__name__, r[0] is vals, vals, idx)
torch.topk(torch.tensor([2.0, 3.0, 1.0]), 2, out=(vals.resize_(0), idx.resize_(0)))
print(vals, idx)
torch.cat([torch.ones(2), torch.zeros(2)], out=buf[2])
print(buf[2])
w = torch.ones(3, requires_grad=True)
o = torch.empty(3)
for f in (
    lambda: torch.mul(w, 2, out=o),
    lambda: torch.mul(torch.ones(3), 2, out=w),
    lambda: torch.mul(w.detach(), 2, out=o),
    lambda: torch.mul(torch.ones(3), 2, out=torch.empty(3, dtype=torch.int)),
    lambda: torch.mul(torch.ones(3), 2, out="x"),
    lambda: torch.matmul(torch.ones(2, 3), torch.ones(3), out=torch.empty(2)),
    lambda: torch.mean(torch.ones(3), 0, out=torch.empty(())),
    lambda: torch.where(torch.tensor([True, False, True]), torch.ones(3), torch.zeros(3), out=o),
    lambda: torch.gather(torch.arange(3.0), 0, torch.tensor([2, 1, 0]), out=o),
    lambda: torch.stack([torch.ones(3), torch.zeros(3)], out=torch.empty(2, 3)),
    lambda: torch.arange(0, 3, out=o),
    lambda: torch.linspace(0, 1, 3, out=o),
    lambda: torch.full((3,), 4.0, out=o),
    lambda: torch.eye(2, out=torch.empty(2, 2)),
    lambda: torch.tril(torch.ones(2, 2), out=torch.empty(2, 2)),
    lambda: torch.cumsum(torch.ones(3), 0, out=o),
    lambda: torch.lt(torch.ones(3), 2, out=torch.empty(3, dtype=torch.bool)),
    lambda: torch.isnan(torch.ones(3)),
    lambda: torch.bmm(torch.ones(1, 2, 2), torch.ones(1, 2, 2), out=torch.empty(1, 2, 2)),
    lambda: torch.pow(torch.arange(3.0), 2, out=o),
    lambda: torch.pow(2, torch.arange(3.0), out=o),
    lambda: torch.clamp(torch.arange(3.0), max=1, out=o),
    lambda: torch.norm(torch.ones(4), out=torch.empty(())),
    lambda: torch.std(torch.arange(3.0), 0, out=torch.empty(())),
    lambda: torch.dot(torch.ones(3), torch.ones(3), out=torch.empty(())),
    lambda: torch.addmm(torch.zeros(2, 2), torch.eye(2), torch.eye(2), out=torch.empty(2, 2)),
    lambda: torch.logical_and(torch.ones(3), torch.zeros(3), out=torch.empty(3)),
    lambda: torch.fmod(torch.arange(3.0), 2, out=o),
    lambda: torch.atan2(o, o, out=o),
    lambda: torch.diag(torch.ones(3), out=torch.empty(0)),
    lambda: torch.index_select(torch.arange(3.0), 0, torch.tensor([1]), out=torch.empty(0)),
    lambda: torch.nonzero(torch.tensor([0, 1]), out=torch.empty(0, dtype=torch.long)),
    lambda: torch.unique(torch.ones(3)),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
with torch.no_grad():
    print(torch.mul(w, 2, out=o), o.requires_grad)
    print(torch.add(w, 1, out=w), w.requires_grad, w._version)
with warnings.catch_warnings(record=True) as c:
    warnings.simplefilter("always")
    t = torch.ones(5)
    torch.add(torch.ones(2), 1, out=t)
    print(t, len(c))
    e = torch.empty(0)
    torch.add(torch.ones(2), 1, out=e)
    print(e, len(c))
