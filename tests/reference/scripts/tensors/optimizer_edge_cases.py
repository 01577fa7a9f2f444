"""Optimizers: None gradients, frozen params, closures, several dtypes, maximize, foreach."""
import torch

a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
c = torch.tensor([3.0])
opt = torch.optim.SGD([a, b, c], lr=0.1)
(a * 2).sum().backward()
opt.step()
print(a, b, c, b.grad)
c.grad = torch.tensor([1.0])
opt.step()
print(c, c.requires_grad)
opt.zero_grad()
print(a.grad, c.grad)
opt.step()
print(a)
for kw in (dict(foreach=True), dict(foreach=False), dict(maximize=True), dict(differentiable=False), dict(fused=False) if False else {}):
    p = torch.tensor([1.0, 2.0], requires_grad=True)
    o = torch.optim.Adam([p], lr=0.1, **kw)
    for _ in range(2):
        o.zero_grad()
        (p ** 2).sum().backward()
        o.step()
    print(kw, p)
z = torch.tensor([1 + 1j], requires_grad=True)
o = torch.optim.Adam([z], lr=0.1)
for _ in range(2):
    o.zero_grad()
    z.abs().pow(2).sum().backward()
    o.step()
print(z, o.state[z]["exp_avg"])
p = torch.tensor([1.0], requires_grad=True)
o = torch.optim.SGD([p], lr=0.1, momentum=0.9)
p.sum().backward()
o.step()
o.param_groups[0]["lr"] = 1.0
o.step()
print(p, o.state[p]["momentum_buffer"], len(o.state))
o.param_groups[0]["momentum"] = 0
o.step()
print(p)
o.state.clear()
o.step()
print(p, o.state)
r = torch.optim.SGD([{"params": [p], "lr": 0.5}], lr=0.1)
print(r.param_groups[0]["lr"], r.defaults["lr"])
for bad in (lambda: torch.optim.Adam([p], lr=-1.0), lambda: torch.optim.Adam([p], betas=(0.9, 1.0)), lambda: torch.optim.Adam([p], weight_decay=-1), lambda: torch.optim.SGD([p], lr=0.1, momentum=0.9, nesterov=True, dampening=0.1), lambda: torch.optim.SGD(p, lr=0.1), lambda: torch.optim.SGD([], lr=0.1), lambda: torch.optim.SGD([p * 2], lr=0.1), lambda: torch.optim.SGD([1], lr=0.1), lambda: torch.optim.SGD([p, p], lr=0.1), lambda: torch.optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1), lambda: torch.optim.SGD([{"lr": 1}]), lambda: torch.optim.SGD([p], lr="a"), lambda: torch.optim.SGD({p}, lr=0.1), lambda: torch.optim.SGD()):
    try:
        print(type(bad()).__name__)
    except Exception as e:
        print(type(e).__name__)
print(torch.optim.SGD([p], 0.1, 0.9).param_groups[0]["momentum"], torch.optim.Adam([p], 0.01, (0.8, 0.9), 1e-5, 0.1).param_groups[0]["weight_decay"])
