"""Setting, sharing, deleting and replacing .grad; zero_grad; dtype and layout."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


x = torch.ones(2, requires_grad=True)
y = torch.ones(2, requires_grad=True)
shared = torch.zeros(2)
x.grad = shared
y.grad = shared
(x * 2 + y * 3).sum().backward()
print(shared, x.grad is y.grad)
x.grad = y.grad = None
n = x * 2
attempt("set on non-leaf", lambda: setattr(n, "grad", torch.ones(2)))
attempt("read", lambda: n.grad)
plain = torch.ones(2)
plain.grad = torch.tensor([1.0, 2.0])
print(plain.grad, plain.requires_grad)
attempt("int leaf", lambda: setattr(torch.tensor([1, 2]), "grad", torch.tensor([1, 2])))
attempt("own", lambda: setattr(x, "grad", x))
attempt("alias", lambda: setattr(x, "grad", x.detach()))
print(x.grad, x.grad.data_ptr() == x.data_ptr())
(x * 5).sum().backward()
print(x, x.grad)
x.grad = None
x.grad = torch.zeros(2, requires_grad=True)
attempt("grad requires grad", lambda: (x.sum().backward(), x.grad)[1])
x.grad = None
h = torch.ones(2, dtype=torch.float16, requires_grad=True)
h.float().pow(2).sum().backward()
print(h.grad, h.grad.dtype)
attempt("half grad float", lambda: setattr(h, "grad", torch.ones(2)))
h.data = h.data.float()
print(h.dtype, h.grad.dtype)
attempt("after data", lambda: (h * 2).sum().backward())
x.sum().backward()
g = x.grad
x.grad.detach_()
x.grad.zero_()
print(g is x.grad, x.grad)
x.grad += 1
print(g is x.grad, x.grad, g)
x.grad = x.grad * 2
print(g is x.grad)
opt = torch.optim.SGD([x, y], lr=0.1)
opt.zero_grad(set_to_none=False)
print(x.grad, y.grad)
opt.zero_grad()
print(x.grad)
del x.grad
print(x.grad, hasattr(x, "grad"))
attempt("str", lambda: setattr(x, "grad", "a"))
attempt("size", lambda: setattr(x, "grad", torch.ones(2, 1)))
attempt("double", lambda: setattr(x, "grad", torch.ones(2).double()))
