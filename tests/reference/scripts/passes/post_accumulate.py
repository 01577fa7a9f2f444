"""register_post_accumulate_grad_hook, also as an optimizer step in the backward pass."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
log = []
h = x.register_post_accumulate_grad_hook(lambda p: log.append((p is x, p.grad.tolist())))
x.register_hook(lambda g: log.append(("pre", g.tolist())))
(x * 2).sum().backward()
(x * x).sum().backward()
print(log)
log.clear()
torch.autograd.grad((x * 3).sum(), x)
print(log)
h.remove()
log.clear()
(x * 2).sum().backward()
print(log, x.grad)
for t in (x * 2, torch.ones(2), x.detach()):
    try:
        t.register_post_accumulate_grad_hook(lambda p: None)
        print("ok")
    except Exception as e:
        print(type(e).__name__)
params = [torch.ones(2, requires_grad=True), torch.full((3,), 2.0, requires_grad=True)]
opts = {p: torch.optim.SGD([p], lr=0.1) for p in params}


def step(p):
    opts[p].step()
    opts[p].zero_grad()


for p in params:
    p.register_post_accumulate_grad_hook(step)
for _ in range(3):
    ((params[0] ** 2).sum() * params[1].sum()).backward()
    print(params, [p.grad for p in params])
w = torch.ones(1, requires_grad=True)
w.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
(w * 2).backward()
print(w.grad)
w2 = torch.ones(1, requires_grad=True)
w2.register_post_accumulate_grad_hook(lambda p: 5)
try:
    (w2 * 2).backward()
    print(w2.grad)
except Exception as e:
    print(type(e).__name__, w2.grad)
