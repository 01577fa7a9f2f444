"""Gradients with respect to slices, views, copies and rewritten tensors."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


x = torch.arange(4.0, requires_grad=True)
v = x[1:3]
y = (x ** 2).sum()
attempt("slice taken before use", lambda: torch.autograd.grad(y, v, retain_graph=True))
z = (v ** 2).sum() + x[0]
attempt("through slice", lambda: torch.autograd.grad(z, [v, x], retain_graph=True))
attempt("other slice", lambda: torch.autograd.grad(z, x[1:3], retain_graph=True))
attempt("item", lambda: torch.autograd.grad(z, x[0], retain_graph=True))
attempt("allow", lambda: torch.autograd.grad(z, x[0], retain_graph=True, allow_unused=True))
a = x * 1
b = a.view(2, 2)
w = (b ** 3).sum()
attempt("base of view", lambda: torch.autograd.grad(w, [a, b], retain_graph=True))
a2 = x * 1
v2 = a2[:2]
a2.mul_(3)
attempt("after in-place", lambda: torch.autograd.grad(a2.sum(), a2, retain_graph=True))
attempt("old view", lambda: torch.autograd.grad(v2.sum(), [v2, x], retain_graph=True))
attempt("a2 wrt v2", lambda: torch.autograd.grad(a2.sum(), v2, retain_graph=True, allow_unused=True))
c = x.clone()
old = c
c = c * 2
attempt("rebound", lambda: torch.autograd.grad(c.sum(), [old, x], retain_graph=True))
d = x.detach().requires_grad_()
attempt("detached copy", lambda: torch.autograd.grad(y, d, retain_graph=True))
attempt("same storage", lambda: torch.autograd.grad((x * d).sum(), [x, d]))
e = x.data
attempt("data", lambda: torch.autograd.grad(y, e, retain_graph=True))
p = torch.nn.Parameter(x.detach().clone())
q = p.t() if p.dim() == 2 else p.view(2, 2).t()
attempt("param view", lambda: torch.autograd.grad((q ** 2).sum(), [q, p], retain_graph=True))
attempt("leaf itself", lambda: torch.autograd.grad(x, x, torch.ones(4)))
attempt("out is in", lambda: torch.autograd.grad(y, y, retain_graph=True))
attempt("output unrelated leaf", lambda: torch.autograd.grad(x.sum(), p, allow_unused=True))
attempt("view of leaf as root", lambda: torch.autograd.grad(v, x, torch.ones(2)))
attempt("dup inputs", lambda: torch.autograd.grad(y, [x, x, v], allow_unused=True, retain_graph=True))
attempt("dict", lambda: torch.autograd.grad(y, {"x": x}, retain_graph=True))
attempt("set", lambda: len(torch.autograd.grad(y, {x}, retain_graph=True)))
attempt("generator", lambda: torch.autograd.grad(y, (t for t in [x]), retain_graph=True))
attempt("tensor matrix as inputs", lambda: torch.autograd.grad((x.view(2, 2) ** 2).sum(), x.view(2, 2), retain_graph=True))
