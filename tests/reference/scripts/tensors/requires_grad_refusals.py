"""Setting requires_grad where it cannot be set."""
import torch

def attempt(label, g):
    try:
        print(label, g())
    except Exception as e:
        print(label, type(e).__name__)
def set_flag(t, value):
    t.requires_grad = value
    return t.requires_grad
x = torch.ones(2, requires_grad=True)
y = x * 2
attempt("non-leaf off", lambda: set_flag(y, False))
attempt("non-leaf on", lambda: set_flag(y, True))
attempt("non-leaf off_", lambda: y.requires_grad_(False))
attempt("non-leaf on_", lambda: y.requires_grad_().is_leaf)
for dtype in (torch.int8, torch.uint8, torch.int32, torch.int64, torch.bool):
    attempt(f"{dtype} on", lambda: set_flag(torch.ones(2, dtype=dtype), True))
    attempt(f"{dtype} on_", lambda: torch.ones(2, dtype=dtype).requires_grad_())
    attempt(f"{dtype} off", lambda: set_flag(torch.ones(2, dtype=dtype), False))
for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.complex64, torch.complex128):
    attempt(f"{dtype} on", lambda: set_flag(torch.ones(2, dtype=dtype), True))
attempt("number", lambda: set_flag(torch.ones(2), 1))
attempt("None", lambda: set_flag(torch.ones(2), None))
attempt("string", lambda: torch.ones(2, requires_grad="yes"))
attempt("number keyword", lambda: torch.ones(2, requires_grad=1).requires_grad)
attempt("Parameter int", lambda: torch.nn.Parameter(torch.tensor([1, 2])))
attempt("Parameter int off", lambda: torch.nn.Parameter(torch.tensor([1, 2]), requires_grad=False))
attempt("tensor int", lambda: torch.tensor([1, 2], requires_grad=True))
attempt("tensor list of int, float", lambda: torch.tensor([1, 2], dtype=torch.float32, requires_grad=True))
attempt("arange int", lambda: torch.arange(3, requires_grad=True))
attempt("detach on", lambda: y.detach().requires_grad_().is_leaf)
attempt("view on", lambda: torch.ones(4).view(2, 2).requires_grad_().is_leaf)
attempt("is_leaf", lambda: setattr(x, "is_leaf", False))
attempt("grad_fn", lambda: setattr(x, "grad_fn", None))
attempt("_backward_hooks", lambda: x._backward_hooks)
attempt("shape", lambda: setattr(x, "shape", (3,)))
attempt("dtype", lambda: setattr(x, "dtype", torch.float64))
attempt("new attribute", lambda: setattr(x, "note", "mine") or x.note)
attempt("x.T", lambda: setattr(x, "T", 1))
attempt("in-place on leaf", lambda: x.add_(1))
attempt("in-place on view of leaf", lambda: x[0].add_(1))
attempt("setitem on leaf", lambda: x.__setitem__(0, 1.0))
attempt("out leaf", lambda: torch.add(y, 1, out=x))
attempt("out", lambda: torch.add(y, 1, out=torch.empty(2)))
attempt("backward none", lambda: torch.ones(1).backward())
attempt("backward vector", lambda: y.backward())
attempt("numpy", lambda: x.numpy())
print(x)
