"""no_grad, enable_grad, inference_mode and set_grad_enabled around writes."""

import torch

w = torch.ones(2, requires_grad=True)


def attempt(tag, f):
    try:
        f()
        print(tag, "ok", w.tolist(), w._version, w.requires_grad)
    except RuntimeError:
        print(tag, "RuntimeError", w.tolist(), w._version)


attempt("plain", lambda: w.add_(1))
with torch.no_grad():
    attempt("no_grad", lambda: w.add_(1))
    with torch.enable_grad():
        attempt("enable in no_grad", lambda: w.add_(1))
    attempt("after", lambda: w.mul_(2))
with torch.set_grad_enabled(False):
    attempt("set False", lambda: w.sub_(1))
with torch.inference_mode():
    attempt("inference", lambda: w.sub_(1))
    attempt("inference set", lambda: w.__setitem__(0, 5.0))
    with torch.inference_mode(False):
        attempt("inference off", lambda: w.add_(1))
        t = torch.zeros(2)
        print(t.is_inference(), torch.is_grad_enabled())
    with torch.enable_grad():
        attempt("enable in inference", lambda: w.add_(1))
        print((w * 2).requires_grad)
torch.set_grad_enabled(False)
attempt("global off", lambda: w.zero_())
torch.set_grad_enabled(True)


@torch.no_grad()
def step(p):
    p -= 1
    p.view(-1)[0] = 9
    return p * 2


r = step(w)
print(w, r.requires_grad, r.is_leaf, w._version)


@torch.enable_grad()
def inner(p):
    return p * 2


with torch.no_grad():
    print(inner(w).requires_grad, inner(w).grad_fn is None)


@torch.inference_mode()
def infer(p):
    q = p * 2
    q.add_(1)
    return q


q = infer(w)
print(q.is_inference(), q.requires_grad)
for f in (
    lambda: q.add_(1),
    lambda: q * w,
    lambda: q + w,
    lambda: q.clone().add_(1),
    lambda: q.requires_grad_(),
    lambda: q.view(2).mul_(2),
    lambda: q.detach().is_inference(),
    lambda: q._version,
):
    try:
        o = f()
        print(o if not isinstance(o, torch.Tensor) else tuple(o.shape))
    except RuntimeError:
        print("RuntimeError")


def gen():
    with torch.no_grad():
        for i in range(2):
            yield torch.is_grad_enabled()


g = gen()
print(next(g), torch.is_grad_enabled(), next(g))
g.close()
print(torch.is_grad_enabled())
y = w * 1
with torch.no_grad():
    y[0] = 3
    y.add_(w)
print(y, y.grad_fn, y._version)
y.sum().backward()
print(w.grad)
