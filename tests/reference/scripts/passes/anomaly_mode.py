"""detect_anomaly and set_detect_anomaly."""
import warnings
import torch


def run(f):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            r = f()
        except Exception as e:
            r = type(e).__name__, "nan" in str(e)
    return r, [(w.category.__name__, "Anomaly" in str(w.message), "Traceback" in str(w.message)) for w in seen]


def nan_pass(check=True):
    with torch.autograd.detect_anomaly(check_nan=check):
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        (x.sqrt() * 0).sum().backward()
        return x.grad


print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
print(run(nan_pass))
print(run(lambda: nan_pass(False)))
print(torch.is_anomaly_enabled())
print(run(lambda: torch.autograd.set_detect_anomaly(True)) and torch.is_anomaly_enabled())
x = torch.tensor([-1.0], requires_grad=True)
print(run(lambda: x.log().backward()), x.grad)
print(run(lambda: x.pow(0.5).backward()), x.grad)
torch.autograd.set_detect_anomaly(False)
print(torch.is_anomaly_enabled())
with torch.autograd.set_detect_anomaly(True, check_nan=False):
    print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
    y = (x * 2).exp()
    print(sorted(y.grad_fn.metadata)[:2], "traceback_" in y.grad_fn.metadata, "parent_" in y.grad_fn.metadata)
    print(type(y.grad_fn.metadata["traceback_"]).__name__)
print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
z = x * 3
print(z.grad_fn.metadata)
z.grad_fn.metadata["note"] = "mine"
print(z.grad_fn.metadata)


class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * float("nan")


def custom():
    with torch.autograd.detect_anomaly():
        Bad.apply(x).sum().backward()


x.grad = None
print(run(custom), x.grad)
Bad.apply(x).sum().backward()
print(x.grad)


def inplace():
    with torch.autograd.detect_anomaly():
        a = x.clone()
        b = a.exp()
        b.add_(1)
        b.sum().backward()


print(run(inplace))
