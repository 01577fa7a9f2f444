"""Inference tensors: writing inside and outside."""

import torch


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__)


with torch.inference_mode():
    a = torch.ones(3)
    b = a.view(3)
    a.add_(1)
    b.mul_(2)
    print(a, a.is_inference(), b.is_inference())
    attempt("_version", lambda: a._version)
attempt("_version", lambda: a._version)
attempt("view outside", lambda: a[1:].is_inference())
attempt("clone", lambda: a.clone().is_inference())
attempt("clone write", lambda: a.clone().add_(1))
attempt("requires_grad_", lambda: a.requires_grad_())
attempt("plain +", lambda: (a + 1).is_inference())
w = torch.ones(3, requires_grad=True)
attempt("mul", lambda: (w * a).sum().backward())
attempt("add", lambda: (w + a).sum())
attempt("clone mul", lambda: (w * a.clone()).sum())
n = torch.zeros(3)
attempt("copy_ from", lambda: n.copy_(a))
with torch.inference_mode():
    attempt("normal write", lambda: n.add_(1))
    print(n.is_inference(), n._version)
    v = n[1:]
    print(v.is_inference(), v._version)
    v.zero_()
    attempt("leaf", lambda: w.add_(1))
    attempt("set_", lambda: n.is_inference())
print(n, n._version)
print(torch.is_inference(a), torch.is_inference(n))
attempt("detach", lambda: a.detach().is_inference())
attempt("save", lambda: w.exp() * a)
# PyTorch writes before it refuses, so values are not looked at from here on
for f in (
    lambda: a.add_(1),
    lambda: a.__setitem__(0, 1.0),
    lambda: a[1:].zero_(),
    lambda: a.copy_(n),
    lambda: a.mul_(w),
):
    try:
        f()
        print("wrote")
    except RuntimeError:
        print("RuntimeError")
