"""From tensors to arrays."""

import warnings

import numpy as np
import torch

warnings.simplefilter("ignore", DeprecationWarning)  # of NumPy about how old a protocol PyTorch speaks

x = torch.arange(6.0).view(2, 3)
a = x.numpy()
a[0, 0] = 50
print(x[0, 0], a.dtype, a.shape, type(a).__name__)
x.add_(1)
print(a)
p = torch.ones(2, requires_grad=True)
try:
    p.numpy()
except RuntimeError as err:
    print(type(err).__name__, "requires grad" in str(err))
try:
    np.asarray(p)
except RuntimeError as err:
    print(type(err).__name__)
print(p.detach().numpy(), (p * 2).detach().numpy(), p.numpy(force=True))
with torch.no_grad():
    try:
        print((p * 2).numpy())
        print(p.numpy())
    except RuntimeError as err:
        print(type(err).__name__)
print(np.asarray(x), np.array(x, dtype=np.int64), np.sum(x.numpy()), x.t().numpy().shape)
print(torch.tensor(1.5).numpy(), torch.tensor(True).numpy(), torch.zeros(0, 2).numpy().shape)
print(np.allclose(x, x.numpy()), np.array_equal(torch.tensor([1, 2]), [1, 2]))
print(torch.tensor([1, 2]).numpy().dtype, torch.tensor([1 + 2j]).numpy().dtype, torch.tensor([1.0], dtype=torch.float16).numpy().dtype)
try:
    torch.tensor([1.0], dtype=torch.bfloat16).numpy()
except TypeError as err:
    print(type(err).__name__)
