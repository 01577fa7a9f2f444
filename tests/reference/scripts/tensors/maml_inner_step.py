"""One differentiable inner step: the gradient through a gradient step."""

import torch

torch.manual_seed(0)
w = torch.tensor([0.5, -0.3], requires_grad=True)
x, y = torch.tensor([[1.0, 2.0], [3.0, -1.0]]), torch.tensor([1.0, 0.0])
inner = ((x @ w - y) ** 2).mean()
(g,) = torch.autograd.grad(inner, w, create_graph=True)
fast = w - 0.1 * g
outer = ((x.flip(0) @ fast - y) ** 2).mean()
outer.backward()
print(g, fast, outer, w.grad)
first_order = w.detach().clone().requires_grad_()
(g2,) = torch.autograd.grad(((x @ first_order - y) ** 2).mean(), first_order)
((x.flip(0) @ (first_order - 0.1 * g2) - y) ** 2).mean().backward()
print(first_order.grad)
