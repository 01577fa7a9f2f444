"""is_grads_batched=True: one row of the Jacobian per entry of the batch."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.stack([x.prod(), (x**2).sum()])
eye = torch.eye(2)
(jac,) = torch.autograd.grad(y, x, eye, is_grads_batched=True, retain_graph=True)
print(jac, jac.shape)

rows = [torch.autograd.grad(y, x, e, retain_graph=True)[0] for e in eye]
print(torch.equal(torch.stack(rows), jac))

# batched second derivative
out = (x**3).sum()
(g,) = torch.autograd.grad(out, x, create_graph=True)
(h,) = torch.autograd.grad(g, x, torch.eye(3), is_grads_batched=True)
print(h)

# a scalar output: a batch of numbers
z = (x**2).sum()
(gs,) = torch.autograd.grad(
    z, x, torch.tensor([1.0, 2.0, -1.0]), is_grads_batched=True, retain_graph=True
)
print(gs)
try:
    torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True)
except RuntimeError as e:
    print(type(e).__name__)
