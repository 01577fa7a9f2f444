"""Adam in a few in-place lines agrees with torch.optim.Adam."""
import torch


def adam(p, state, lr=0.1, betas=(0.9, 0.999), eps=1e-8):
    state["t"] = state.get("t", 0) + 1
    m = state.setdefault("m", torch.zeros_like(p))
    v = state.setdefault("v", torch.zeros_like(p))
    with torch.no_grad():
        m.lerp_(p.grad, 1 - betas[0])
        v.mul_(betas[1]).addcmul_(p.grad, p.grad, value=1 - betas[1])
        denom = (v.sqrt() / (1 - betas[1] ** state["t"]) ** 0.5).add_(eps)
        p.addcdiv_(m, denom, value=-lr / (1 - betas[0] ** state["t"]))


a = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
b = a.detach().clone().requires_grad_()
opt = torch.optim.Adam([b], lr=0.1)
state = {}
for i in range(15):
    a.grad = None
    opt.zero_grad()
    ((a - 1) ** 4).sum().backward()
    ((b - 1) ** 4).sum().backward()
    adam(a, state)
    opt.step()
print(a)
print(b)
print(torch.allclose(a, b, atol=1e-6), state["t"], a._version)
