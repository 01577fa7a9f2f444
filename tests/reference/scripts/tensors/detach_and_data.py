"""detach, detach_, .data: what is shared, what is tracked."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
d = y.detach()
print(d, d.requires_grad, d.grad_fn, d.data_ptr() == y.data_ptr(), d._version, y._version)
d.add_(1)
print(y, d._version, y._version, y.grad_fn is not None)
e = y.data
e.mul_(2)
print(y, e._version, y._version, e.is_leaf)
z = x.exp()
z.detach().zero_()
try:
    z.sum().backward()
except RuntimeError as err:
    print(type(err).__name__)
z = x.exp()
z.data.zero_()
z.sum().backward()
print(x.grad)
x.grad = None
z = x.exp()
print(z.detach_() is z, z.requires_grad, z.is_leaf, z)
v = (x * 2)[0]
try:
    v.detach_()
    print("detached")
except RuntimeError as err:
    print(type(err).__name__)
x.data = torch.tensor([5.0, 6.0, 7.0])
print(x, x.shape, x.requires_grad, x.is_leaf)
def attempt(g):
    try:
        print(g())
    except Exception as err:
        print(type(err).__name__)
attempt(lambda: setattr(x, "data", torch.zeros(3, dtype=torch.float64)) or x)
attempt(lambda: setattr(x, "data", torch.zeros(3, dtype=torch.int64)) or x)
attempt(lambda: setattr(x, "data", [1.0]) or x)
attempt(lambda: setattr(x, "data", None) or x)
w = torch.ones(2, requires_grad=True)
(w * 2).sum().backward()
w.data = torch.zeros(2)
print(w, w.grad)
w.data -= 0.1 * w.grad
print(w, w.grad, w._version)
w.data[0] = 9
print(w)
w.data.fill_(4)
print(w.data, w.data.requires_grad, w.detach().grad)
s = torch.ones(2)
s.data.add_(1)
print(s, s._version)
h = w * 1
h.data = torch.tensor([7.0, 8.0])
print(h, h.grad_fn is not None)
(h ** 2).sum().backward()
print(w.grad)
print(torch.ones(1).detach().is_leaf, x.detach().detach().requires_grad, x.detach().requires_grad_().is_leaf)
print(x.clone().detach(), x.detach().clone(), x.clone().detach().requires_grad_(True))
