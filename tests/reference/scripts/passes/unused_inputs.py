"""Inputs that the output does not depend on: refused, None, or zeros."""

import torch

a = torch.randn(2, requires_grad=True)
b = torch.randn(3, requires_grad=True)
out = (a * 0).sum()

try:
    torch.autograd.grad(out, [a, b], retain_graph=True)
except RuntimeError as e:
    print("appears to not have been used in the graph" in str(e))
ga, gb = torch.autograd.grad(out, [a, b], allow_unused=True, retain_graph=True)
print(ga, gb)
ga, gb = torch.autograd.grad(out, [a, b], materialize_grads=True, retain_graph=True)
print(ga, gb)
ga, gb = torch.autograd.grad(
    out, [a, b], allow_unused=True, materialize_grads=True, retain_graph=True
)
print(gb)
try:
    torch.autograd.grad(out, [a, b], allow_unused=False, materialize_grads=True)
except ValueError as e:
    print(type(e).__name__)
try:
    torch.autograd.grad(out, [])
except (RuntimeError, ValueError) as e:
    print(type(e).__name__)
# used, but detached: not used as far as autograd can see
try:
    torch.autograd.grad((b.detach() * a.sum()).sum(), b)
except RuntimeError as e:
    print(type(e).__name__)
