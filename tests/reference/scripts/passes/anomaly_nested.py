"""Anomaly mode with higher orders, checkpoints, custom functions and infinities."""
import warnings
import torch


def run(label, f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try:
            r = f()
        except Exception as e:
            r = type(e).__name__
    told = [("Error detected in" in str(m.message), str(m.message).split()[3].rstrip(".") if "Error detected" in str(m.message) else "") for m in w if m.category is UserWarning]
    print(label, r, told)


anomaly = torch.autograd.detect_anomaly
x = torch.tensor([0.0, 4.0], requires_grad=True)


def within(f, **kw):
    def g():
        with anomaly(**kw):
            return f()
    return g


run("inf", within(lambda: torch.autograd.grad(x.sqrt().sum(), x)))
run("nan", within(lambda: torch.autograd.grad((x.sqrt() * 0).sum(), x)))
run("nan unchecked", within(lambda: torch.autograd.grad((x.sqrt() * 0).sum(), x), check_nan=False))
run("0/0", within(lambda: torch.autograd.grad((x / x).sum(), x)))
run("nan forward only", within(lambda: (x * float("nan")).sum().item()))
run("nan root gradient", within(lambda: torch.autograd.grad(x * 2, x, torch.tensor([float("nan"), 1.0]))))
run("second order", within(lambda: torch.autograd.grad(torch.autograd.grad((x.sqrt() * x).sum(), x, create_graph=True)[0].sum(), x)))


class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise ValueError("inside")


run("raises", within(lambda: torch.autograd.grad(Bad.apply(x).sum(), x)))
run("raises outside", lambda: torch.autograd.grad(Bad.apply(x).sum(), x))
y = (x.sqrt() * 0).sum()
run("forward outside", within(lambda: torch.autograd.grad(y, x)))
run("checkpoint", within(lambda: torch.autograd.grad(torch.utils.checkpoint.checkpoint(lambda t: t.sqrt() * 0, x, use_reentrant=False).sum(), x)))
run("modified", within(lambda: (lambda a: torch.autograd.grad((a.exp(), a.add_(1))[0].sum(), x))(x * 1)))
run("modified saved", within(lambda: (lambda a, b: (b.mul_(2), torch.autograd.grad(b.sum(), x)))(x * 1, (x * 1).exp())))
run("hook nan", within(lambda: (lambda z: (z.register_hook(lambda g: g * float("nan")), torch.autograd.grad(z.sum(), x))[1])(x * 2)))
run("fine", within(lambda: torch.autograd.grad((x * 2).sum(), x)))
run("bf16", within(lambda: torch.autograd.grad((x.bfloat16() / 0 * 0).sum(), x)))
run("complex", within(lambda: torch.autograd.grad((x * 1j / 0 * 0).abs().sum(), x)))
run("freed", within(lambda: (lambda s: (s.backward(), s.backward()))((x * x).sum())))
print(torch.is_anomaly_enabled(), x.grad)
torch.autograd.set_detect_anomaly(True)
run("global", lambda: torch.autograd.grad((x.sqrt() * 0).sum(), x))
with torch.autograd.set_detect_anomaly(False):
    run("off inside", lambda: torch.autograd.grad((x.sqrt() * 0).sum(), x))
run("on again", lambda: torch.autograd.grad((x.sqrt() * 0).sum(), x))
torch.autograd.set_detect_anomaly(False)
with anomaly():
    with anomaly(check_nan=False):
        print(torch.is_anomaly_check_nan_enabled())
    print(torch.is_anomaly_check_nan_enabled(), torch.is_anomaly_enabled())
print(torch.is_anomaly_enabled())
