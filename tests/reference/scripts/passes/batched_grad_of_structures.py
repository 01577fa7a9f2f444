"""is_grads_batched with create_graph, several outputs, unused inputs and structures."""
import torch

x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
w = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
u = torch.ones(2, dtype=torch.float64, requires_grad=True)
y1, y2 = x ** 2 * w, x.prod() * w
eye = torch.eye(2, dtype=torch.float64)
g = torch.autograd.grad((y1, y2), (x, w), (eye, torch.tensor([1.0, 2.0], dtype=torch.float64)), is_grads_batched=True, retain_graph=True)
print(g, [t.shape for t in g])
g = torch.autograd.grad(y1, (x, u), eye, is_grads_batched=True, allow_unused=True, retain_graph=True)
print(g)
try:
    torch.autograd.grad(y1, (x, u), eye, is_grads_batched=True, retain_graph=True)
except RuntimeError as e:
    print(type(e).__name__)
print(torch.autograd.grad(y1, (x, u), eye, is_grads_batched=True, materialize_grads=True, retain_graph=True))
(j,) = torch.autograd.grad(y1, x, eye, is_grads_batched=True, create_graph=True)
print(j.detach(), j.requires_grad)
(h,) = torch.autograd.grad(j.sum(), x, retain_graph=True)
print(h, torch.autograd.grad(j.diagonal().sum(), w, retain_graph=True))
hess = torch.stack([torch.autograd.grad(j.diagonal()[k], x, retain_graph=True)[0] for k in range(2)]) if j.requires_grad else None
print(hess)
z = torch.stack([x.sin().sum(), x.prod()])
print(torch.autograd.grad([z], [x], [torch.ones(3, 2, dtype=torch.float64)], is_grads_batched=True)[0])
try:
    print(torch.autograd.grad(z, x, eye, is_grads_batched=True))
except RuntimeError as e:
    print("freed", type(e).__name__)
m = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
out = m @ x
basis = torch.eye(2, dtype=torch.float64)
gm, gx = torch.autograd.grad(out, (m, x), basis, is_grads_batched=True)
print(gm.shape, gm, gx)
calls = []
x.register_hook(lambda g: calls.append(tuple(g.shape)))
torch.autograd.grad((x * 2), x, eye, is_grads_batched=True)
print(len(calls) >= 1)
s = x.sum()
print(torch.autograd.grad(s, x, torch.tensor([1.0, 5.0], dtype=torch.float64), is_grads_batched=True))
