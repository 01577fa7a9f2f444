"""Checkpoint contexts, debug, determinism, random states, refusals."""
import contextlib
import warnings
import torch
from torch.utils.checkpoint import checkpoint, CheckpointError

events = []


class Ctx:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        events.append("enter " + self.name)

    def __exit__(self, *a):
        events.append("exit " + self.name)


x = torch.tensor([0.5, 1.5], requires_grad=True)
y = checkpoint(torch.sin, x, use_reentrant=False, context_fn=lambda: (Ctx("first"), Ctx("again")))
print(events)
y.sum().backward()
print(events, x.grad)


def attempt(label, f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try:
            r = f()
        except Exception as e:
            r = type(e).__name__
    print(label, r, len(w))


state = {"n": 0}


def unstable(t):
    state["n"] += 1
    return (t.exp() * state["n"]).sin() if state["n"] % 2 else t.exp()


def shapes(t):
    state["n"] += 1
    return t.exp() if state["n"] % 2 else t[:1].exp().expand(2)


for f in (unstable, shapes):
    for kw in ({}, {"determinism_check": "none"}, {"determinism_check": "default"}, {"debug": True}):
        state["n"] = 0
        attempt((f.__name__, *kw.items()), lambda: torch.autograd.grad(checkpoint(f, x, use_reentrant=False, **kw).sum(), x)[0].tolist())
attempt("bad determinism", lambda: checkpoint(torch.sin, x, use_reentrant=False, determinism_check="bogus").sum().backward())
attempt("issubclass", lambda: issubclass(CheckpointError, RuntimeError))
attempt("grad inside", lambda: checkpoint(lambda t: torch.autograd.grad((t ** 2).sum(), t, create_graph=True)[0], x, use_reentrant=False).sum().backward())
print(x.grad)


def noisy(t):
    return t * torch.rand(2)


for preserve in (True, False):
    torch.manual_seed(0)
    x.grad = None
    y = checkpoint(noisy, x, use_reentrant=False, preserve_rng_state=preserve)
    torch.rand(5)
    y.sum().backward()
    print(preserve, torch.allclose(x.grad * x.detach(), y.detach()))
torch.manual_seed(0)
a = torch.rand(1)
torch.manual_seed(0)
z = checkpoint(noisy, x, use_reentrant=False)
z.sum().backward()
print(torch.rand(1) == torch.manual_seed(0) if False else "state kept")
attempt("non-tensor input", lambda: checkpoint(lambda t, k: t * k, x, 3, use_reentrant=False))
attempt("list input", lambda: checkpoint(lambda l: l[0] + l[1], [x, x], use_reentrant=False))
attempt("none input", lambda: checkpoint(lambda t, n: t if n is None else n, x, None, use_reentrant=False))
attempt("raises", lambda: checkpoint(lambda t: 1 / 0, x, use_reentrant=False))
attempt("in-place", lambda: checkpoint(lambda t: (t * 1).mul_(2).exp_(), x, use_reentrant=False).sum().backward())
attempt("module method", lambda: checkpoint(torch.nn.Tanh().forward, x, use_reentrant=False).grad_fn.name())
attempt("retain", lambda: [checkpoint(torch.exp, x, use_reentrant=False).sum().backward(retain_graph=True) for _ in range(2)])
out = checkpoint(torch.exp, x, use_reentrant=False).sum()
out.backward(retain_graph=True)
out.backward()
attempt("third", lambda: out.backward())
attempt("no use_reentrant", lambda: checkpoint(torch.exp, x).sum().item() > 0)
attempt("detached input", lambda: checkpoint(torch.exp, x.detach(), use_reentrant=False).requires_grad)
