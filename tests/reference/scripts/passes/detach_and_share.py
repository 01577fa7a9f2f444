"""What detach shares, and how changes through it are noticed."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
d = y.detach()
print(d, d.requires_grad, d.grad_fn, d.is_leaf, d._base is None, d._version, y._version)
d.add_(1)
print(y, y._version, d._version)
z = y.exp()
d.zero_()
attempt("exp saved result", lambda: torch.autograd.grad(z.sum(), x, retain_graph=True))
s = y * y
d.fill_(3.0)
attempt("mul saved inputs", lambda: torch.autograd.grad(s.sum(), x))
t = y.sum()
d.fill_(9.0)
attempt("sum saves nothing", lambda: torch.autograd.grad(t, x))
dd = d.requires_grad_()
attempt("detached leaf in-place", lambda: dd.mul_(2))
q = (dd * x).sum()
print(torch.autograd.grad(q, (dd, x)))
a = x.detach()
attempt("leaf through detach", lambda: a.mul_(10))
print(x, x._version)
b = x.data
b.mul_(0.1)
print(x, x._version, b._version)
c = x.detach().clone()
c.fill_(0)
print(x)
w = (x * 3)
wd = w.detach_()
print(wd is w, w.requires_grad, w.is_leaf)
v = (x * 3).view(2, 1)
attempt("detach_ view", lambda: v.detach_())
r = x.clone().detach().requires_grad_(True)
print(r.is_leaf, r.grad_fn)
u = x.clone().requires_grad_(True)
print(u.is_leaf, u.grad_fn.name())
attempt("numpy of detached", lambda: x.detach().numpy())
nd = x.detach().numpy()
nd[0] = 42.0
print(x, x._version)
attempt("view of detach", lambda: (x.detach()[0:1]._base is None, x.detach()[0:1]._is_view()))
e = y.detach().detach()
print(e.data_ptr() == y.data_ptr())
f = torch.as_tensor(y)
print(f is y, torch.as_tensor(y.detach()).requires_grad)
stop = x + (x.round() - x).detach()
print(torch.autograd.grad(stop.sum(), x), stop)
print(torch.tensor(x.tolist(), requires_grad=True).grad_fn, x.new_zeros(1).requires_grad)
