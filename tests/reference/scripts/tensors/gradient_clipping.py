"""clip_grad_norm_ and clip_grad_value_."""

import torch
from torch import nn

w = torch.tensor([3.0, 4.0], requires_grad=True)
v = torch.tensor([12.0], requires_grad=True)
(w**2 / 2).sum().backward()
(v**2 / 2).sum().backward()
total = nn.utils.clip_grad_norm_([w, v], max_norm=6.5)
print(total, w.grad, v.grad)
print(nn.utils.clip_grad_norm_([w, v], 100.0), w.grad)
w.grad, v.grad = torch.tensor([3.0, -4.0]), torch.tensor([12.0])
print(nn.utils.clip_grad_norm_([w, v], 2.0, norm_type=float("inf")), w.grad, v.grad)
w.grad = torch.tensor([3.0, -4.0])
nn.utils.clip_grad_value_([w, v], 1.5)
print(w.grad, v.grad)
w.grad = torch.tensor([float("nan"), 1.0])
print(nn.utils.clip_grad_norm_([w], 1.0))
try:
    nn.utils.clip_grad_norm_([w], 1.0, error_if_nonfinite=True)
except RuntimeError as err:
    print(type(err).__name__, "non-finite" in str(err))
u = torch.ones(1, requires_grad=True)
print(nn.utils.clip_grad_norm_([u], 1.0), nn.utils.clip_grad_norm_(w, 1.0, norm_type=1) if False else "")
