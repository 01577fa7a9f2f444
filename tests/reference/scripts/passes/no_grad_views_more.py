"""Views made under no_grad and changed outside, and the other way round."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


leaf = torch.ones(4, requires_grad=True)
base = leaf * 1
with torch.no_grad():
    v = base[:2]
print(v.requires_grad, v.grad_fn, v.is_leaf, v._is_view(), v._base is base)
attempt("mul_", lambda: v.mul_(2))
with torch.no_grad():
    v.mul_(3)
print(base, base.grad_fn, base._version)
w = base[2:]
with torch.no_grad():
    w.mul_(10)
print(w, w.grad_fn, base)
attempt("grad", lambda: torch.autograd.grad(base.sum(), leaf, retain_graph=True))
attempt("grad w", lambda: torch.autograd.grad(w.sum(), leaf, retain_graph=True))
with torch.no_grad():
    lv = leaf[0:1]
    lv.fill_(7)
print(leaf, leaf._version)
attempt("leaf view", lambda: lv.mul_(2))
attempt("leaf view2", lambda: leaf[0].mul_(2))
chunks = (leaf * 2).chunk(2)
attempt("chunk", lambda: chunks[0].add_(1))
with torch.no_grad():
    chunks[1].add_(1)
attempt("changed chunk", lambda: chunks[1].grad_fn)
u = (leaf * 2).unbind()
attempt("unbind", lambda: u[0].mul_(2))
s = (leaf * 2).split(2)
attempt("split", lambda: s[0].mul_(2))
d = base.detach()
attempt("detached view", lambda: d.view(2, 2).mul_(2))
print(base)
a = leaf.clone()
with torch.no_grad():
    a[0] = 100.0
    a[1:] *= 2
print(a, a.grad_fn)
a.sum().backward()
print(leaf.grad)
with torch.inference_mode():
    iv = leaf.view(2, 2)
attempt("inference view", lambda: (iv.is_inference(), iv.requires_grad, iv._version))
attempt("inference view mul", lambda: (iv * 2).requires_grad)
attempt("inference view mul_", lambda: iv.mul_(2))
n = torch.zeros(3)
m = n[1:]
n.add_(leaf[:3])
print(m.requires_grad, m.grad_fn, m)
