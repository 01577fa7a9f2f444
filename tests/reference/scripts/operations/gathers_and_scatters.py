"""gather and the scatter family: duplicates, reductions, in place, values and gradients."""

import torch

src = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
idx = torch.tensor([[0, 0, 1], [1, 0, 0]])
g = src.gather(0, idx)
print(g, g.grad_fn.name())
(g * torch.arange(6.0).view(2, 3)).sum().backward()
print(src.grad)
src.grad = None
base = torch.zeros(3, 3, requires_grad=True)
out = base.scatter(0, torch.tensor([[0, 1, 2], [2, 2, 1]]), src)
print(out, out.grad_fn)
out.pow(2).sum().backward()
print(src.grad, base.grad)
src.grad = base.grad = None
out = base.scatter_add(1, torch.tensor([[0, 0, 2], [1, 1, 1]]), src)
print(out)
(out * torch.arange(9.0).view(3, 3)).sum().backward()
print(src.grad, base.grad)
for how in ["sum", "prod", "mean", "amax", "amin"]:
    src.grad = base.grad = None
    b = torch.full((2,), 2.0, requires_grad=True)
    r = b.scatter_reduce(0, torch.tensor([0, 0, 1]), src[0], reduce=how)
    r.sum().backward()
    print(how, r.detach(), src.grad, b.grad)
    n = b.detach().scatter_reduce(
        0, torch.tensor([0, 0, 0]), src[0].detach(), how, include_self=False
    )
    print(n)
z = torch.zeros(2, 3)
print(
    z.scatter_(1, torch.tensor([[2], [0]]), 1.5),
    z.scatter(1, torch.tensor([[1]]), 7.0, reduce="add"),
)
print(torch.scatter(z, 1, torch.tensor([[0, 1]]), torch.tensor([[8.0, 9.0]])))
one_hot = torch.zeros(3, 4).scatter_(1, torch.tensor([1, 3, 0]).unsqueeze(1), 1)
print(one_hot)
for bad in [
    lambda: src.gather(0, torch.tensor([[5]])),
    lambda: src.gather(2, idx),
    lambda: src.gather(0, idx.float()),
    lambda: src.gather(0, torch.tensor([0])),
    lambda: z.scatter(0, idx, src.double()),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
