"""requires_grad_, detach, detach_, is_leaf, and what is refused."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


x = torch.ones(2)
print(x.requires_grad, x.is_leaf, x.grad_fn, x.requires_grad_() is x, x.requires_grad)
attempt("false", lambda: x.requires_grad_(False).requires_grad)
attempt("keyword", lambda: x.requires_grad_(requires_grad=True).requires_grad)
for dt in (torch.int64, torch.bool, torch.float16, torch.bfloat16, torch.complex64, torch.uint8):
    attempt(dt, lambda: torch.ones(1, dtype=dt).requires_grad_())
    attempt(dt, lambda: torch.ones(1, dtype=dt, requires_grad=True))
    attempt(dt, lambda: torch.ones(1, dtype=dt).requires_grad_(False))
y = x * 2
attempt("non-leaf false", lambda: y.requires_grad_(False))
attempt("non-leaf true", lambda: y.requires_grad_(True))
attempt("set", lambda: setattr(y, "requires_grad", False))
attempt("set leaf", lambda: setattr(x, "requires_grad", 0))
print(x.requires_grad)
attempt("set none", lambda: setattr(x, "requires_grad", None))
attempt("set str", lambda: setattr(x, "requires_grad", "a"))
x.requires_grad = True
d = y.detach()
print(d.requires_grad, d.is_leaf, d.data_ptr() == y.data_ptr(), d._version, d._is_view())
d[0] = 9
print(y, y._version)
v = y[0:1]
attempt("view detach_", lambda: v.detach_())
w = y * 1
print(w.detach_() is w, w.requires_grad, w.is_leaf, w.grad_fn)
attempt("leaf detach_", lambda: x.detach_().requires_grad)
attempt("set is_leaf", lambda: setattr(x, "is_leaf", True))
attempt("set grad_fn", lambda: setattr(x, "grad_fn", None))
p = torch.nn.Parameter(torch.ones(2), requires_grad=False)
print(p, p.requires_grad, (p * 2).requires_grad, p.detach(), type(p.detach()).__name__, type(p.data).__name__)
attempt("int param", lambda: torch.nn.Parameter(torch.tensor([1])))
attempt("int param ok", lambda: torch.nn.Parameter(torch.tensor([1]), requires_grad=False))
attempt("tensor of", lambda: torch.tensor([x.requires_grad_()[0], 2.0]))
attempt("numpy", lambda: x.numpy())
attempt("tolist", lambda: x.tolist())
attempt("item", lambda: x[0].item())
attempt("float", lambda: float(x[0]))
attempt("bool", lambda: bool(x[0] > 0))
attempt("deepcopy", lambda: __import__("copy").deepcopy(x * 2))
attempt("iter", lambda: [i.grad_fn for i in x])
attempt("view of no-grad", lambda: torch.ones(2).view(2).requires_grad_().is_leaf)
