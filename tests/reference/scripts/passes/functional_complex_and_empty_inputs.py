"""autograd.functional: complex inputs, empty ones, tuples, create_graph chains, strict."""
import torch
from torch.autograd import functional as AF


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


z = torch.tensor([1 + 2j, 3.0 - 1j])
attempt("jac abs", lambda: AF.jacobian(lambda t: t.abs(), z))
attempt("jac real", lambda: AF.jacobian(lambda t: torch.view_as_real(t).sum(), z))
attempt("vjp c", lambda: AF.vjp(lambda t: t * t, z, torch.ones(2, dtype=torch.complex64)))
x = torch.tensor([1.0, 2.0])
attempt("0-d", lambda: AF.jacobian(lambda t: t ** 2, torch.tensor(3.0)))
attempt("0-d hess", lambda: AF.hessian(lambda t: t ** 3, torch.tensor(2.0)))
attempt("matrix", lambda: AF.jacobian(lambda m: m @ m, torch.ones(2, 2)).shape)
attempt("tuple of one", lambda: AF.jacobian(lambda t: (t,), (x,)))
attempt("hess (1,1)", lambda: AF.hessian(lambda t: (t ** 2).sum().view(1, 1), x))
attempt("hess tuple out", lambda: AF.hessian(lambda t: (t.sum(),), x))
attempt("grad mode off", lambda: torch.no_grad()(lambda: AF.jacobian(torch.sin, x))())
with torch.no_grad():
    print(AF.hvp(lambda t: t.prod(), x, x), AF.jvp(torch.exp, x, x)[0].requires_grad)
r = x.clone().requires_grad_()
h = AF.hessian(lambda t: (t ** 4).sum(), r, create_graph=True)
print(h, torch.autograd.grad(h.sum(), r))
o, j = AF.jvp(lambda t: t ** 3, r, x, create_graph=True)
print(o.requires_grad, j.requires_grad, torch.autograd.grad(j.sum(), r))
o, g = AF.vhp(lambda t: (t ** 3).sum(), r, x, create_graph=True)
print(torch.autograd.grad(g.sum(), r), r.grad)
out, (ga, gb) = AF.vjp(lambda a, b: a * b.sum(), (x, x * 2), x)
print(out, ga, gb)
attempt("unused", lambda: AF.jacobian(lambda a, b: a * 2, (x, x)))
attempt("unused strict", lambda: AF.jacobian(lambda a, b: a * 2, (x, x), strict=True))
attempt("int out", lambda: AF.jacobian(lambda a: a.long(), x))
attempt("in-place", lambda: AF.jacobian(lambda a: a.mul_(2), x))
attempt("requires_grad inside", lambda: AF.jacobian(lambda a: (print(a.requires_grad, a.is_leaf, a is x), a)[1], x))
attempt("side effect", lambda: (AF.jacobian(torch.sin, r), r.grad)[1])
attempt("vectorize hess", lambda: AF.hessian(lambda a, b: (a * b).prod(), (x, x), vectorize=True))
attempt("rand vjp", lambda: AF.vjp(lambda a: a @ a, x, torch.tensor(2.0)))
attempt("v tuple", lambda: AF.vjp(lambda a: a * 2, x, (x,)))
attempt("v wrong number", lambda: AF.jvp(lambda a, b: a * b, (x, x), (x,)))
attempt("hvp unused", lambda: AF.hvp(lambda a, b: (a ** 2).sum(), (x, x), (x, x)))
attempt("args type", lambda: AF.hessian(lambda a: a.sum(), "x"))
attempt("list v", lambda: AF.vjp(torch.sin, x, [1.0, 1.0]))
