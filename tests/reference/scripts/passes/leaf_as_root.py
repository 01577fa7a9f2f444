"""A leaf that requires grad can itself be a root."""

import torch

x = torch.tensor(3.0, requires_grad=True)
x.backward()
print(x.grad)
x.backward(torch.tensor(5.0))
print(x.grad)

print(torch.autograd.grad(x, x))
v = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.autograd.grad(v, v, torch.tensor([4.0, 5.0])))
(g,) = torch.autograd.grad(v.sum(), v, create_graph=True)
print(g, g.requires_grad)

plain = torch.tensor(1.0)
for f in (
    lambda: plain.backward(),
    lambda: torch.autograd.grad(plain, x),
    lambda: torch.autograd.grad(x * 2, plain),
):
    try:
        f()
    except RuntimeError as e:
        print(type(e).__name__, "does not require grad" in str(e))
