"""Accumulating, casting down and up, mixed precision by hand with a loss scale."""
import torch
from torch import nn
torch.manual_seed(0)
master = [torch.randn(3, 2) * 0.1, torch.zeros(3)]
scale = 1024.0
x, y = torch.randn(5, 2), torch.tensor([0, 1, 2, 1, 0])
for step in range(4):
    half = [m.half().requires_grad_() for m in master]
    logits = x.half() @ half[0].t() + half[1]
    loss = nn.functional.cross_entropy(logits.float(), y)
    (loss * scale).backward()
    print(step, f"{loss.item():.3f}", half[0].grad.dtype, bool(torch.isfinite(half[0].grad).all()), logits.dtype)
    with torch.no_grad():
        for m, h in zip(master, half):
            m -= 0.5 * h.grad.float() / scale
print([m.dtype for m in master], master[1].shape)
for dt in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    s = torch.zeros((), dtype=dt)
    for _ in range(100):
        s += torch.tensor(0.1, dtype=dt)
    print(dt, s, s.item(), torch.tensor(2049.0).to(dt).item(), torch.tensor(1e-7).to(dt), torch.tensor(1 / 3).to(dt), (torch.tensor(1.0, dtype=dt) + 1e-3).item())
p = torch.tensor([1.0], dtype=torch.bfloat16, requires_grad=True)
for _ in range(3):
    (p * 0.001).sum().backward()
print(p.grad, p.grad.dtype, p - 1e-3 * p.grad)
h = torch.tensor([60000.0], dtype=torch.float16, requires_grad=True)
o = h * 2
print(o, torch.isinf(o))
o.backward()
print(h.grad, (h.float() * 2).half(), h.double() ** 2, (h ** 2))
m = nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2)).to(torch.bfloat16)
for q in m.parameters():
    nn.init.constant_(q, 0.5)
out = m(torch.tensor([[1.0, 2.0]], dtype=torch.bfloat16))
print(out, m[1].weight.dtype, {k: v.dtype for k, v in m.state_dict().items()})
out.float().sum().backward()
print(m[0].weight.grad, m[0].bias.grad.dtype)
m.float()
print(m[0].weight.grad.dtype, m[0].weight)
z = torch.tensor([1.5, 2.5, -0.5, 0.5, 3.5], dtype=torch.float32)
print(z.round(), z.int(), z.to(torch.int8), z.half().round(), z.bfloat16().round(), z.floor().long(), z.trunc().short(), z.byte().dtype, z.bool())
