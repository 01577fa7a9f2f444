"""Scalars only: the classic little expressions."""
import torch

a = torch.tensor([-4.0]).double(); a.requires_grad = True
b = torch.tensor([2.0]).double(); b.requires_grad = True
c = a + b
d = a * b + b ** 3
c = c + c + 1
c = c + 1 + c + (-a)
d = d + d * 2 + (b + a).relu()
d = d + 3 * d + (b - a).relu()
e = c - d
f = e ** 2
g = f / 2.0
g = g + 10.0 / f
g.backward()
print(g.data.item(), a.grad.item(), b.grad.item())
print(g, a.grad, b.grad, f"{g.data.item():.4f}")
x = torch.Tensor([-4.0]).double()
x.requires_grad = True
z = 2 * x + 2 + x
q = z.relu() + z * x
h = (z * z).relu()
y = h + q + q * x
y.backward()
print(y.data.item(), x.grad.item(), x.is_leaf, z.is_leaf)
x1 = torch.Tensor([2.0]).double()                ; x1.requires_grad = True
x2 = torch.Tensor([0.0]).double()                ; x2.requires_grad = True
w1 = torch.Tensor([-3.0]).double()               ; w1.requires_grad = True
w2 = torch.Tensor([1.0]).double()                ; w2.requires_grad = True
b = torch.Tensor([6.8813735870195432]).double()  ; b.requires_grad = True
n = x1 * w1 + x2 * w2 + b
o = torch.tanh(n)
print(o.data.item())
o.backward()
print("---")
print("x2", x2.grad.item())
print("w2", w2.grad.item())
print("x1", x1.grad.item())
print("w1", w1.grad.item())
print(o, n, o.grad_fn, n.grad_fn.next_functions[0][0].name(), n.grad_fn.next_functions[1][0].name())
v = torch.tensor(3.0, requires_grad=True)
for fn in (torch.relu, torch.sigmoid, torch.tanh, torch.exp, torch.log, torch.sqrt, torch.sin, torch.cos, torch.abs, torch.reciprocal, torch.square, torch.neg, torch.erf, torch.log1p, torch.expm1, torch.atan):
    v.grad = None
    out = fn(v)
    out.backward()
    print(f"{fn.__name__:10} {out.item():.6f} {v.grad.item():.6f} {out.grad_fn.name()}")
u = torch.tensor(2.0, requires_grad=True)
(u * u * u + u ** u + 2 ** u + u / 3 + 3 / u - u % 2).backward()
print(u.grad)
k = torch.tensor(1.5, requires_grad=True)
m = k
for _ in range(5):
    m = m * k
print(m, torch.autograd.grad(m, k))
