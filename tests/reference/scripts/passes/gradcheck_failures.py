"""What gradcheck notices: wrong, missing, nondeterministic, misshaped gradients."""
import torch
from torch.autograd import Function, gradcheck, gradgradcheck


def build(bwd, fwd=lambda x: x ** 2):
    class F(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return fwd(x)

        @staticmethod
        def backward(ctx, g):
            return bwd(g, *ctx.saved_tensors)
    return F.apply


def outcome(label, f, **kw):
    try:
        print(label, f(**kw))
    except Exception as e:
        print(label, type(e).__name__)


x = torch.tensor([0.5, -1.5], dtype=torch.float64, requires_grad=True)
calls = {"n": 0}


def flaky(g, x):
    calls["n"] += 1
    return g * (2 * x + 1e-3 * calls["n"])


for name, f in {"right": build(lambda g, x: 2 * g * x), "wrong": build(lambda g, x: g * x), "sign": build(lambda g, x: -2 * g * x), "none": build(lambda g, x: None),
                "float": build(lambda g, x: (2 * g * x).float()), "detached": build(lambda g, x: 2 * g.detach() * x), "nan": build(lambda g, x: g * float("nan")), "flaky": build(flaky),
                "misshaped": build(lambda g, x: torch.ones(3, dtype=torch.float64)), "slightly": build(lambda g, x: 2 * g * x * (1 + 1e-4)), "constant": build(lambda g, x: torch.ones_like(x) * 2)}.items():
    for kw in ({}, {"raise_exception": False}, {"atol": 10.0}, {"fast_mode": True}):
        outcome((name, *kw), lambda **k: gradcheck(f, (x,), **k), **kw)
    outcome((name, "second"), lambda: gradgradcheck(f, (x,), raise_exception=False))
kink = torch.zeros(1, dtype=torch.float64, requires_grad=True)
outcome("relu at 0", lambda: gradcheck(torch.relu, kink, raise_exception=False))
outcome("abs away", lambda: gradcheck(torch.abs, x))
outcome("in-place", lambda: gradcheck(lambda t: t.clone().mul_(2).exp_(), x))
outcome("view", lambda: gradcheck(lambda t: t.view(1, 2).t(), x))
outcome("mutates input", lambda: gradcheck(lambda t: t.data.add_(1) * t, x, raise_exception=False))
outcome("several", lambda: gradcheck(lambda a, b: (a @ b, a.sum()), (torch.ones(2, 2, dtype=torch.float64, requires_grad=True), x)))
outcome("one needs", lambda: gradcheck(lambda a, b: a * b, (x, x.detach())))
outcome("non-tensor", lambda: gradcheck(lambda a, k: a * k, (x, 3)))
outcome("list", lambda: gradcheck(lambda a, b: a * b, [x, x]))
outcome("strided", lambda: gradcheck(lambda t: t * 2, torch.arange(6.0, dtype=torch.float64).view(2, 3).t().requires_grad_()))
outcome("empty", lambda: gradcheck(lambda t: t * 2, torch.empty(0, dtype=torch.float64, requires_grad=True)))
outcome("half", lambda: gradcheck(lambda t: t * 2, torch.ones(2, dtype=torch.float16, requires_grad=True), raise_exception=False))
print(x, x.grad, torch.is_grad_enabled())
with torch.no_grad():
    outcome("no_grad", lambda: gradcheck(torch.sin, x))
