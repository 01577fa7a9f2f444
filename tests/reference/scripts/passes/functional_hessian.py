"""torch.autograd.functional.hessian."""

import torch
from torch.autograd.functional import hessian

print(hessian(lambda x: x.pow(3).sum(), torch.tensor([1.0, 2.0])))
out = hessian(
    lambda x, y: (2 * x.pow(2) + x * y.exp()).sum(),
    (torch.tensor([1.0, 2.0]), torch.tensor([0.0, 1.0])),
)
for row in out:
    print(row)
H = hessian(lambda w: (w.sin() * w).sum(), torch.zeros(2, 2))
print(H.shape, H.reshape(4, 4).diagonal())
x = torch.tensor([1.0, -1.0], requires_grad=True)
H = hessian(lambda v: (v**4).sum(), x, create_graph=True)
print(H.requires_grad)
H.sum().backward()
print(x.grad)
print(hessian(lambda v: (3 * v).sum(), torch.ones(2)))
print(hessian(lambda v: v.sum(), torch.tensor(1.0)))
try:
    hessian(lambda v: v * 2, torch.ones(2))
except RuntimeError as e:
    print(
        type(e).__name__,
        "single element" in str(e) or "one element" in str(e) or "scalar" in str(e).lower(),
    )
print(hessian(lambda v: (v**2).sum().reshape(1), torch.ones(2)))
try:
    hessian(lambda v: (3 * v).sum(), torch.ones(2), strict=True)
except RuntimeError as e:
    print(type(e).__name__)
