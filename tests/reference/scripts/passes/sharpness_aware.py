"""Sharpness-aware minimisation and lookahead by hand."""
import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)


def loss(w):
    return (w[0] ** 2 * 3 + torch.sin(3 * w[1]) + w.prod() ** 2)


slow = w.detach().clone()
opt = torch.optim.SGD([w], lr=0.05, momentum=0.9)
for step in range(6):
    opt.zero_grad()
    first = loss(w)
    first.backward()
    with torch.no_grad():
        e = 0.05 * w.grad / (w.grad.norm() + 1e-12)
        w.add_(e)
    opt.zero_grad()
    loss(w).backward()
    with torch.no_grad():
        w.sub_(e)
    opt.step()
    if step % 3 == 2:
        with torch.no_grad():
            slow.add_(w - slow, alpha=0.5)
            w.copy_(slow)
    print(step, w.data, f"{first.item():.5f}", w._version)
ema = torch.zeros(2)
for k in range(3):
    ema.lerp_(w.detach(), 0.5)
    ema.mul_(1.0)
print(ema, ema.requires_grad, opt.state[w]["momentum_buffer"])
print(torch.autograd.grad(loss(w), w), w.is_leaf)
w.grad = None
opt.step()
print(w)
print(opt.state_dict()["param_groups"][0]["lr"], len(opt.state_dict()["state"]))
