"""detach_(): cutting a tensor out of its graph for good."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
z = y * 3
print(y.detach_() is y, y.requires_grad, y.grad_fn, y.is_leaf)
z.sum().backward()
print(x.grad)
w = y * 5
print(w.requires_grad)
v = (x * 2)[0:1]
try:
    v.detach_()
except RuntimeError as e:
    print(type(e).__name__, "view" in str(e))
leaf = torch.ones(2, requires_grad=True)
print(leaf.detach_().requires_grad, leaf.is_leaf)
hidden = torch.zeros(1)
w = torch.tensor([0.5], requires_grad=True)
for step in range(6):
    hidden = torch.tanh(hidden + w)
    if step % 2 == 1:
        hidden.sum().backward()
        print(step, w.grad)
        hidden = hidden.detach()
states = [torch.ones(2, requires_grad=True) * k for k in range(3)]
states = [s.detach() for s in states]
print([s.requires_grad for s in states])
d = {"a": x * 1, "b": [x * 2]}
print(d["a"].detach(), d["b"][0].detach().requires_grad_().is_leaf)
with torch.no_grad():
    k = x * 2
print(k.requires_grad, k.detach() is k)
