"""Updates by hand, and the refusals that beginners meet."""
import torch

w = torch.tensor([2.0], requires_grad=True)
def attempt(label, g):
    try:
        print(label, g())
    except Exception as e:
        print(label, type(e).__name__)
def minus_equals():
    global w
    w -= 0.1
attempt("w -= 0.1", minus_equals)
loss = (w * 3) ** 2
loss.backward()
print(w.grad, loss)
attempt("second backward", lambda: loss.backward())
w = w - 0.1 * w.grad
print(w, w.is_leaf, w.requires_grad)
w.sum().backward()
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(w.grad)
w = w.detach().requires_grad_()
print(w, w.grad)
with torch.no_grad():
    w -= 0.5
print(w, w.requires_grad, w._version)
with torch.no_grad():
    w = w - 0.5
print(w, w.requires_grad)
attempt("backward without grad", lambda: (w * 2).backward())
a = torch.tensor([1.0, 2.0], requires_grad=True)
attempt("vector backward", lambda: (a * 2).backward())
attempt("grad of int", lambda: torch.tensor([1, 2]).float().requires_grad_())
attempt("numpy", lambda: (a * 2).numpy())
attempt("float of vector", lambda: float(a * 2))
attempt("if tensor", lambda: 1 if a else 2)
attempt("if sum", lambda: 1 if a.sum() else 2)
attempt("format", lambda: f"{a:.2f}")
attempt("shapes", lambda: a + torch.ones(3))
attempt("matmul shapes", lambda: a @ torch.ones(3))
attempt("index", lambda: a[2])
attempt("dim", lambda: a.sum(1))
attempt("str + tensor", lambda: "a" + a)
attempt("None + tensor", lambda: a + None)
attempt("list + tensor", lambda: a + [1, 2])
attempt("tensor()", lambda: a())
attempt("del grad", lambda: delattr(a, "grad"))
a.grad = torch.ones(2)
attempt("del grad", lambda: delattr(a, "grad") or a.grad)
attempt("len of scalar", lambda: len(a.sum()))
attempt("iter scalar", lambda: [v for v in a.sum()])
attempt("unpack", lambda: (lambda p, q: (p, q))(*a))
attempt("view", lambda: a.view(3))
attempt("reshape", lambda: a.reshape(-1, 3))
attempt("grad None step", lambda: a - 0.1 * (a * 2).detach().grad)
b = a * 2
b_old = b
b += 1
print(b is b_old, b)
c = a.exp()
c += 1
attempt("modified", lambda: c.sum().backward())
d = a.sigmoid()
d[0] = 0
attempt("modified by index", lambda: d.sum().backward())
e = a * 2
e[0] = 0
e.sum().backward()
print(a.grad)
