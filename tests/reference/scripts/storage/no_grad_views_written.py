"""Views made in no_grad and written with grad enabled."""

import torch


def attempt(name, f):
    try:
        print(name, f())
    except RuntimeError as e:
        print(name, "RuntimeError")


w = torch.ones(3, requires_grad=True)
with torch.no_grad():
    v = w.view(3)
print(v.requires_grad, v.is_leaf, v._is_view(), v._base is w)
attempt("leaf view", lambda: v.mul_(2))
b = torch.ones(3)
with torch.no_grad():
    u = b[1:]
print(u._base is b, u.requires_grad)
attempt("plain no write of grad", lambda: u.mul_(3))
attempt("write of something tracked", lambda: u.mul_(w[1:]))
print(b, b.grad_fn, u.grad_fn)
c = w * 1
with torch.no_grad():
    t = c[:2]
attempt("of a result", lambda: t.mul_(2))
print(c)
with torch.no_grad():
    attempt("in no_grad", lambda: t.mul_(2))
print(c, c._version, t._version)
with torch.inference_mode():
    i = c[:1]
    print(i.is_inference(), i.requires_grad)
attempt("inference view", lambda: i.mul_(2))
attempt("detached", lambda: c.detach().mul_(2))
print(c)
