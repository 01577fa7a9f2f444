"""is_grads_batched: many vector-Jacobian products at once."""
import torch

x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
y = torch.stack([x.prod(), (x ** 2).sum(), x[0] * x[2]])
eye = torch.eye(3, dtype=torch.float64)
(jac,) = torch.autograd.grad(y, x, eye, retain_graph=True, is_grads_batched=True)
print(jac, jac.shape, jac.requires_grad)
rows = [torch.autograd.grad(y, x, e, retain_graph=True)[0] for e in eye]
print(torch.equal(torch.stack(rows), jac))
w = torch.tensor([[1.0, 2.0, 0.5], [0.0, 1.0, -1.0]], dtype=torch.float64, requires_grad=True)
z = (w @ x).sin()
gx, gw = torch.autograd.grad(z, (x, w), torch.eye(2, dtype=torch.float64), is_grads_batched=True,
                             retain_graph=True)
print(gx, gw.shape)
gx, gw = torch.autograd.grad(z, (x, w), (torch.ones(4, 2, dtype=torch.float64),), is_grads_batched=True,
                             create_graph=True)
print(gx.shape, gx.requires_grad, gw.shape)
print(torch.autograd.grad(gx.sum(), w)[0])
for bad in (torch.ones(2), torch.ones(3, 3, dtype=torch.float64), None, torch.tensor(1.0)):
    try:
        print(torch.autograd.grad((w @ x).sin(), x, bad, is_grads_batched=True))
    except Exception as e:
        print(type(e).__name__)
u = torch.tensor([1.0, -1.0], requires_grad=True)
unused = torch.ones(2, requires_grad=True)
print(torch.autograd.grad(u.relu(), (u, unused), torch.eye(2), is_grads_batched=True, allow_unused=True))
