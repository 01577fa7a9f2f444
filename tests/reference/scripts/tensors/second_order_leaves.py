"""Hessians, double backward into leaves, grad of grad norms."""
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
f = (x ** 3).sum() + x[0] * x[1]
g, = torch.autograd.grad(f, x, create_graph=True)
print(g, g.requires_grad)
H = torch.stack([torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g])
print(H, torch.autograd.functional.hessian(lambda t: (t ** 3).sum() + t[0] * t[1], x.detach()))
print(torch.autograd.functional.jacobian(lambda t: t ** 2, x.detach()), torch.autograd.functional.vjp(lambda t: t ** 2, x.detach(), torch.ones(2)), torch.autograd.functional.jvp(lambda t: t ** 2, x.detach(), torch.ones(2)), torch.autograd.functional.hvp(lambda t: (t ** 3).sum(), x.detach(), torch.ones(2)))
v = torch.tensor([1.0, -1.0])
hv, = torch.autograd.grad(g, x, v, retain_graph=True)
print(hv, x.grad)
(g ** 2).sum().backward()
print(x.grad)
x.grad = None
y = (x ** 2).sum()
y.backward(create_graph=True)
print(x.grad, type(x.grad.grad_fn).__name__)
gsum = x.grad.sum()
x.grad = None
gsum.backward()
print(x.grad)
x.grad = None
for k in range(2):
    (x ** 2).sum().backward(create_graph=True)
print(x.grad, x.grad.requires_grad)
x.grad.detach_()
print(x.grad.requires_grad)
x.grad = None
w = torch.tensor(3.0, requires_grad=True)
d = w ** 5
for k in range(7):
    if not d.requires_grad:
        print("stopped", k)
        break
    d, = torch.autograd.grad(d, w, create_graph=True)
    print(k, d)
z = torch.tensor(2.0, requires_grad=True)
a = z.exp()
g1, = torch.autograd.grad(a, z, create_graph=True)
g2, = torch.autograd.grad(g1, z, create_graph=True)
print(g1, g2, g1.grad_fn.name() if g1.grad_fn else None)
lin = (x * 3).sum()
gl, = torch.autograd.grad(lin, x, create_graph=True)
print(gl, gl.requires_grad)
try:
    torch.autograd.grad(gl.sum(), x)
except RuntimeError as e:
    print(type(e).__name__)
print(torch.autograd.grad(gl.sum() + 0 * x.sum(), x) if gl.requires_grad else "constant")
n = torch.ones(2, requires_grad=True)
print(torch.autograd.grad(n.norm(), n), torch.autograd.grad((n - n.detach()).norm(), n))
