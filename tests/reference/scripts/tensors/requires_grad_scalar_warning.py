"""float() of a tensor that requires grad."""

import math
import warnings

import torch

x = torch.tensor(2.0, requires_grad=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(x.item(), len(caught))
    print(float(x.detach()), len(caught))
    with torch.no_grad():
        print(float(x), len(caught))
print(math.sqrt(torch.tensor(16.0)), math.floor(torch.tensor(2.7)), round(torch.tensor(2.6).item()))
print(x.tolist(), x.detach().numpy())
