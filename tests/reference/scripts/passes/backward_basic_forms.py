"""Backward from roots of many shapes and dtypes, and what it refuses."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


for dt in (torch.float64, torch.float32, torch.bfloat16, torch.float16):
    x = torch.tensor([1.5, -2.0, 3.0], dtype=dt, requires_grad=True)
    y = (x * x).sum()
    print(y, y.dtype, y.backward(), x.grad, x.grad.dtype)
x = torch.tensor(3.0, requires_grad=True)
attempt("leaf", lambda: x.backward())
print(x.grad)
x.grad = None
attempt("one element", lambda: (x.reshape(1, 1) * 4).backward())
print(x.grad, x.grad.shape)
v = torch.ones(2, 3, requires_grad=True)
attempt("vector", lambda: (v * 2).backward())
attempt("vector ones", lambda: (v * 2).backward(torch.ones(2, 3)))
attempt("wrong shape", lambda: (v * 2).backward(torch.ones(3)))
attempt("wrong shape scalar", lambda: (v * 2).backward(torch.tensor(1.0)))
attempt("wrong dtype", lambda: (v * 2).backward(torch.ones(2, 3, dtype=torch.float64)))
attempt("int grad", lambda: (v * 2).backward(torch.ones(2, 3, dtype=torch.int64)))
attempt("float", lambda: (v * 2).backward(1.0))
attempt("list", lambda: (v * 2).sum().backward([1.0]))
attempt("keyword", lambda: (v * 2).backward(gradient=torch.full((2, 3), 0.5)))
print(v.grad)
attempt("no graph", lambda: torch.ones(1).backward())
attempt("int", lambda: torch.tensor(1).backward())
attempt("detached", lambda: (v * 2).sum().detach().backward())
e = torch.empty(0, 3, requires_grad=True)
attempt("empty", lambda: (e * 2).backward())
attempt("empty grad", lambda: (e * 2).backward(torch.empty(0, 3)))
print(e.grad, e.grad.shape)
attempt("empty sum", lambda: e.sum().backward())
