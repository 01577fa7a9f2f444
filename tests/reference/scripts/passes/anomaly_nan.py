"""detect_anomaly finds the function that made NaN."""

import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
with torch.autograd.detect_anomaly():
    y = (x / x).sum()
    try:
        y.backward()
    except RuntimeError as e:
        print("returned nan values in its" in str(e), str(e).split("'")[1])

y = torch.sqrt(x * 0).sum()
y.backward()
print(x.grad)
x.grad = None
with torch.autograd.set_detect_anomaly(True):
    z = torch.sqrt(x * 0 - 1).sum()
    try:
        z.backward()
    except RuntimeError as e:
        print(type(e).__name__, "SqrtBackward0" in str(e))
with torch.autograd.detect_anomaly(check_nan=False):
    (x / x).sum().backward()
print(x.grad)
print(torch.is_anomaly_enabled())
