"""Reading .grad of a non-leaf gives a warning and None."""

import warnings

import torch

x = torch.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(y.grad)
    print(len(caught), caught[0].category.__name__, "non-leaf" in str(caught[0].message) or "not a leaf" in str(caught[0].message))
z = x * 3
z.retain_grad()
z.sum().backward()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(z.grad, len(caught))
    print(x.grad, torch.ones(1).grad, len(caught))
