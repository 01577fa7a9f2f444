"""What may be assigned to .grad, and what may not."""
import torch

x = torch.zeros(3, requires_grad=True)
print(x.grad)
x.grad = torch.ones(3)
print(x.grad)
g = torch.full((3,), 2.0)
x.grad = g
print(x.grad is g)
(x * 3).sum().backward()
print(x.grad, g, x.grad is g)
x.grad = None
print(x.grad)
x.grad = torch.ones(3)
del x.grad
print(x.grad)
def attempt(label, value, t=x):
    try:
        t.grad = value
        print(label, "->", t.grad)
    except Exception as e:
        print(label, type(e).__name__)
    t.grad = None
attempt("wrong shape", torch.ones(2))
attempt("broadcastable", torch.ones(1))
attempt("wrong dtype", torch.ones(3, dtype=torch.float64))
attempt("int", torch.ones(3, dtype=torch.int64))
attempt("list", [1.0, 2.0, 3.0])
attempt("number", 0)
attempt("itself", x)
attempt("a graph", x * 2)
attempt("requires grad", torch.ones(3, requires_grad=True))
attempt("parameter", torch.nn.Parameter(torch.ones(3)))
attempt("expanded", torch.ones(1).expand(3))
attempt("on non-grad tensor", torch.ones(3), torch.zeros(3))
attempt("on int tensor", torch.ones(3, dtype=torch.int64), torch.zeros(3, dtype=torch.int64))
attempt("int grad float", torch.ones(3), torch.zeros(3, dtype=torch.int64))
y = x * 2
attempt("on a non-leaf", torch.ones(3), y)
v = torch.zeros(4, requires_grad=True)
attempt("view", torch.arange(8.0)[::2], v)
d = torch.zeros(2, dtype=torch.complex64, requires_grad=True)
attempt("real into complex", torch.ones(2), d)
attempt("complex", torch.ones(2, dtype=torch.complex64), d)
print(x.grad, x.is_leaf, x.requires_grad)
