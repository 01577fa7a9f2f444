"""Second-order differentiation where the gradient depends on earlier gradients."""

import torch

x = torch.ones(2, requires_grad=True) * 1.5
x = x.detach().requires_grad_()
y = x**2
z = y**3
go_y, go_z = torch.ones(2), torch.ones(2) * 2
torch.autograd.backward([y, z], [go_y, go_z])
xd = x.detach()
print(torch.allclose(x.grad, 2 * xd * go_y + 6 * xd.pow(5) * go_z), x.grad)

x = torch.tensor([1.0, 2.0], requires_grad=True)
grad_output = torch.tensor([1.0, 1.0], requires_grad=True)
(g,) = torch.autograd.grad(x**2, x, grad_output, create_graph=True)
print(g)
print(torch.autograd.grad(g.sum(), grad_output, retain_graph=True), torch.autograd.grad(g.sum(), x))
y = (x**3).sum()
y.backward(create_graph=True)
s = x.grad.sum()
s.backward()
print(x.grad)
a = torch.tensor(3.0, requires_grad=True)
b = a * a
(ga,) = torch.autograd.grad(b, a, create_graph=True)
c = ga * b
(gc,) = torch.autograd.grad(c, a, create_graph=True)
(gd,) = torch.autograd.grad(gc * c, a)
print(ga, gc, gd)
