"""register_hooks on saved tensors of a node, and raw access."""

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
y = a.sigmoid()
print(torch.equal(y.grad_fn._saved_result, y.detach()), y.grad_fn._saved_result is y)
p = a.pow(2)
print(p.grad_fn._saved_self is a)
m = torch.tensor([3.0, 4.0])
q = a * m
print(q.grad_fn._saved_self, q.grad_fn._saved_other is m)
r = m * 2
print(r.grad_fn)
z = (a * 3).exp()
saved = z.grad_fn._saved_result
print(saved.grad_fn is z.grad_fn, saved.requires_grad)
