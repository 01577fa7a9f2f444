"""Saved attributes after the pass, and when the input has changed."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
print(y.grad_fn._saved_result, y.grad_fn._saved_result is y, y.grad_fn._saved_result.grad_fn)
y.sum().backward()
try:
    y.grad_fn._saved_result
except RuntimeError as e:
    print(type(e).__name__)
y = x * x
print(y.grad_fn._saved_self is x, y.grad_fn._saved_self.data_ptr() == x.data_ptr(), y.grad_fn._saved_self.requires_grad)
with torch.no_grad():
    x.add_(1)
try:
    print(y.grad_fn._saved_self)
except RuntimeError as e:
    print(type(e).__name__)
try:
    y.sum().backward()
except RuntimeError as e:
    print(type(e).__name__, "modified" in str(e))
a = x.clone()
b = a.sin()
try:
    a.add_(1)
    b.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
z = x.pow(3)
print(z.grad_fn._saved_exponent, z.grad_fn._saved_self)
z.sum().backward(retain_graph=True)
print(z.grad_fn._saved_self)
z.sum().backward()
for name in ("_saved_self",):
    try:
        print(name, getattr(z.grad_fn, name))
    except RuntimeError as e:
        print(name, type(e).__name__)
try:
    z.grad_fn._saved_nothing
except AttributeError as e:
    print(type(e).__name__)
s = x.sum(0, keepdim=True)
print(s.grad_fn._saved_dim, s.grad_fn._saved_keepdim, s.grad_fn._saved_self_sym_sizes)
m, i = x.max(0)
print(m.grad_fn._saved_dim, m.grad_fn._saved_indices, m.grad_fn._saved_keepdim)
mm = x.unsqueeze(0) @ torch.ones(2, 3)
print(mm.grad_fn._saved_self, mm.grad_fn._saved_mat2)
try:
    x.exp().grad_fn._saved_result = 1
except Exception as e:
    print(type(e).__name__)
