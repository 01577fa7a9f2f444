"""None and zero gradients: what optimizers with momentum and decay do with each."""
import torch
def run(kind, name, **kw):
    p, q = torch.tensor([1.0], requires_grad=True), torch.tensor([1.0], requires_grad=True)
    o = getattr(torch.optim, name)([p, q], lr=0.1, **kw)
    for k in range(3):
        o.zero_grad(set_to_none=(kind == "none"))
        loss = (p * 2).sum() if k else (p * 2 + q * 3).sum()
        loss.backward()
        o.step()
    print(f"{kind:5} {name:8} {kw} {p.item():.6f} {q.abs().item():.6f} {q.grad}")
for name, kw in (("SGD", {}), ("SGD", dict(momentum=0.9)), ("SGD", dict(weight_decay=0.5)), ("Adam", {}), ("AdamW", dict(weight_decay=0.5)), ("Adam", dict(weight_decay=0.5))):
    run("none", name, **kw)
    run("zero", name, **kw)
x = torch.ones(3, requires_grad=True)
y = torch.ones(3, requires_grad=True)
(x * 0).sum().backward()
print(x.grad, y.grad)
torch.autograd.backward((x * y.detach()).sum())
print(x.grad, y.grad)
z = x[:0].sum()
x.grad = None
z.backward()
print(x.grad)
w = torch.ones(2, requires_grad=True)
(w.detach() + w - w).sum().backward()
print(w.grad)
u = torch.where(torch.tensor([True, False]), w, w.detach())
w.grad = None
u.sum().backward()
print(w.grad, torch.autograd.grad(u.sum() * 0 if False else (w * 0).sum(), w))
print([g if g is None else g.tolist() for g in torch.autograd.grad((x * 2).sum(), [x, y], allow_unused=True)], [g.tolist() for g in torch.autograd.grad((x * 2).sum(), [x, y], allow_unused=True, materialize_grads=True)])
