"""torch.autograd.grad: what it returns and leaves alone."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
z = (x * y).sum()
print(torch.autograd.grad(z, x, retain_graph=True), torch.autograd.grad(z, [x, y], retain_graph=True), x.grad)
gx, gy = torch.autograd.grad(outputs=z, inputs=(x, y))
print(gx, gy, gx.requires_grad)
u = torch.ones(1, requires_grad=True)
for g in (lambda: torch.autograd.grad((x * 2).sum(), u), lambda: torch.autograd.grad((x * 2).sum(), u, allow_unused=True), lambda: torch.autograd.grad((x * 2).sum(), [x, u], allow_unused=True), lambda: torch.autograd.grad((x * 2).sum(), [x, u], materialize_grads=True), lambda: torch.autograd.grad(x * 2, x), lambda: torch.autograd.grad(x * 2, x, torch.ones(2)), lambda: torch.autograd.grad(x * 2, x, torch.ones(3)), lambda: torch.autograd.grad((x * 2).sum(), torch.ones(1)), lambda: torch.autograd.grad((x * 2).sum(), []), lambda: torch.autograd.grad([(x * 2).sum(), (x ** 2).sum()], x), lambda: torch.autograd.grad([x * 2, x ** 2], x, grad_outputs=[torch.ones(2), None]), lambda: torch.autograd.grad([x * 2, x ** 2], x, grad_outputs=[torch.ones(2), torch.ones(2)]), lambda: torch.autograd.grad(z, x), lambda: torch.autograd.grad(torch.ones(1), x), lambda: torch.autograd.grad(x.sum(), x, create_graph=True), lambda: torch.autograd.grad((x ** 3).sum(), x, create_graph=True), lambda: torch.autograd.grad(x * 2, x, torch.eye(2), is_grads_batched=True)):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
a = torch.tensor(2.0, requires_grad=True)
b = a ** 4
for k in range(5):
    b, = torch.autograd.grad(b, a, create_graph=True)
    print(k, b)
    if not b.requires_grad:
        break
h = x * 2
l = (h ** 2).sum()
print(torch.autograd.grad(l, h, retain_graph=True), torch.autograd.grad(l, (h, x)), h.retains_grad)
v = x.view(2, 1)
print(torch.autograd.grad((v * 3).sum(), v), torch.autograd.grad(x.sum() * 2, x, grad_outputs=torch.tensor(5.0)))
print(x.grad, y.grad)
