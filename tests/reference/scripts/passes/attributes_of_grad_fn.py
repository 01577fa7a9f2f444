"""Saved attributes of nodes as their users read them."""

import torch

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
print(x.sum().grad_fn._saved_self_sym_sizes, x.mean().grad_fn._saved_self_sym_sizes)
print(x.pow(2.5).grad_fn._saved_exponent)
f = (x * 3).grad_fn
print(f._saved_self, f._saved_other)
f = (x * x).grad_fn
print(f._saved_self is x, f._saved_other is x)
f = x.softmax(1).grad_fn
print(f._saved_dim, f._saved_result.shape, f._saved_result.requires_grad)
f = x.clamp(2, 5).grad_fn
print(f._saved_min, f._saved_max, f._saved_self is x)
print(x.exp().grad_fn._saved_result.grad_fn is not None)
print(torch.cat([x, x], 1).grad_fn._saved_dim)
f = torch.mm(x, x.T).grad_fn
print(f._saved_self is x, f._saved_mat2.shape)
try:
    f._saved_nothing
except AttributeError as e:
    print(type(e).__name__)
print([a for a in dir(x.exp().grad_fn) if a.startswith("_saved")])
print(hasattr(x.sin().grad_fn, "_saved_self"), hasattr(x.sin().grad_fn, "_saved_result"))
