"""In-place errors under anomaly mode point at the operation."""

import warnings
import torch

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with torch.autograd.detect_anomaly():
        a = torch.tensor([1.0, 2.0], requires_grad=True)
        b = a.exp()
        b.add_(1)
        try:
            b.sum().backward()
        except RuntimeError as e:
            print("modified by an inplace operation" in str(e))
print([w.category.__name__ for w in caught])
print(any("ExpBackward0" in str(w.message) for w in caught))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with torch.autograd.detect_anomaly():
        w = torch.tensor(2.0, requires_grad=True)
        (w**2).backward()
print(w.grad)
