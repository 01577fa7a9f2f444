"""Inference mode: tensors, views, writes, and what autograd may do with them."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


x = torch.ones(3, requires_grad=True)
with torch.inference_mode():
    y = x * 2
    v = x[:2]
    n = torch.ones(2, requires_grad=True)
    print(torch.is_inference_mode_enabled(), torch.is_grad_enabled(), torch.is_inference(y))
    print(y.is_inference(), v.is_inference(), n.requires_grad, n.is_inference(), n.is_leaf)
    y.add_(1)
    attempt("version", lambda: y._version)
    attempt("copy", lambda: x.clone().is_inference())
print(torch.is_inference_mode_enabled(), y, v, y.requires_grad)
attempt("mul", lambda: (y * x))
attempt("add", lambda: (y + x))
attempt("inplace", lambda: y.clone().add_(1))
attempt("requires", lambda: y.requires_grad_())
attempt("view", lambda: y.view(3, 1).is_inference())
attempt("clone", lambda: y.clone().is_inference())
attempt("clone*x", lambda: (y.clone() * x))
attempt("detach", lambda: y.detach().is_inference())
attempt("view of a clone", lambda: v.clone().add_(1).is_inference())
attempt("data", lambda: y.data.is_inference())
attempt("item", lambda: y[0].item())
attempt("numpy", lambda: y.numpy())
attempt("no grad inplace", lambda: torch.no_grad()(lambda: y.mul_(2))())
attempt("n", lambda: (n * 2))
with torch.inference_mode(False):
    print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())
with torch.inference_mode(True):
    with torch.inference_mode(mode=False):
        z = x * 2
        print(z.requires_grad, z.is_inference())
    with torch.enable_grad():
        q = x * 2
        print(q.requires_grad, q.is_inference(), torch.is_grad_enabled())
    x.add_(1)
    print(x, x.is_inference())


@torch.inference_mode()
def f(x):
    return x * 2


@torch.inference_mode
def g(x):
    return x * 2


print(f(x).is_inference(), g(x).is_inference(), f.__name__, torch.inference_mode.__name__)
attempt("bad", lambda: (f(x) * x).sum().backward())
