"""Under anomaly mode the warning tells where the failing operation was called."""

import warnings
import torch


class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("Some error in backward")


def run_fn(a):
    return Bad.apply(a).sum()


for enabled in (True, False):
    inp = torch.ones(3, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with torch.autograd.set_detect_anomaly(enabled):
            out = run_fn(inp)
            try:
                out.backward()
            except RuntimeError as e:
                print(e)
    text = "".join(str(w.message) for w in caught)
    print(len(caught), "Error detected in BadBackward" in text, "run_fn" in text)

torch.autograd.set_detect_anomaly(True)
print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
x = torch.ones(2, requires_grad=True)
y = x * 2
print("traceback_" in y.grad_fn.metadata)
torch.autograd.set_detect_anomaly(False)
print((x * 2).grad_fn.metadata)
print(torch.is_anomaly_enabled())
