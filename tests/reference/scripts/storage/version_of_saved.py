"""Versions reported by saved tensors of nodes."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
n = y.grad_fn
print(n._saved_self, n._saved_other is x, n._saved_self is x)
s = x.sin()
print(s.grad_fn._saved_self is x)
e = x.exp()
print(
    e.grad_fn._saved_result is e,
    torch.equal(e.grad_fn._saved_result, e),
    e.grad_fn._saved_result.grad_fn,
)
with torch.no_grad():
    x.add_(1)
try:
    n._saved_self
except RuntimeError:
    print("RuntimeError")
try:
    s.backward(torch.ones(2))
except RuntimeError:
    print("RuntimeError")
e.sum().backward()
print(x.grad)
try:
    e.grad_fn._saved_result
except RuntimeError:
    print("RuntimeError")
v = x * 1
i = v[1:]
print(i.grad_fn._saved_dim, i.grad_fn._saved_self_sym_sizes)
print(
    v[0].grad_fn._saved_index,
    v.unsqueeze(0).grad_fn._saved_dim,
    v.expand(3, 2).grad_fn._saved_self_sym_sizes,
    v.view(2, 1).grad_fn._saved_self_sym_sizes,
    v.sum(0).grad_fn._saved_dim,
    v.mul(3).grad_fn._saved_other,
    v.pow(2).grad_fn._saved_exponent,
)
c = v.clamp(0, 1)
print(
    c.grad_fn._saved_min,
    c.grad_fn._saved_max,
    v.transpose(0, 0).grad_fn._saved_dim0,
    v.gather(0, torch.tensor([1])).grad_fn._saved_index,
    v[[0]].grad_fn._saved_indices,
)
