"""After a pass the saved values of a node are gone; a node that was kept still shows them."""

import torch

a = torch.tensor([2.0, 3.0], requires_grad=True)
b = torch.tensor([5.0, 7.0], requires_grad=True)
c = a * b
fn = c.grad_fn
print(fn._saved_self, fn._saved_other)
c.sum().backward(retain_graph=True)
print(fn._saved_self is a, fn._saved_other is b)
c.sum().backward()
try:
    fn._saved_self
except RuntimeError as e:
    print(type(e).__name__, "after they have already been freed" in str(e))
print(a.grad, b.grad)
e = a.exp()
print(torch.equal(e.grad_fn._saved_result, e))
p = a.pow(3)
print(p.grad_fn._saved_exponent, p.grad_fn._saved_self)
s = a.sum()
print(
    s.grad_fn._saved_self_sym_sizes if hasattr(s.grad_fn, "_saved_self_sym_sizes") else "no sizes"
)
