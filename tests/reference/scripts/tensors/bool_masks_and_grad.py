"""Masks: indexing, where, masked_fill, and what carries gradients."""
import torch
x = torch.tensor([[1.0, -2.0], [3.0, -4.0]], requires_grad=True)
m = x > 0
print(m, m.dtype, m.requires_grad, m.sum(), m.any(dim=0), m.all(), (~m).nonzero(), m.nonzero(as_tuple=True), m.float().mean())
print(x[m], x[~m], x[m].sum(), torch.masked_select(x, m), torch.where(m), torch.where(m, x, 0.0), x.masked_fill(m, -1), x * m, m * 2, m & (x < 2), m | ~m, m ^ m, m.logical_not(), m.int() + 1, torch.count_nonzero(m))
x[m].pow(2).sum().backward()
print(x.grad)
x.grad = None
torch.where(m, x * 2, x * 10).sum().backward()
print(x.grad)
y = x.clone()
y[m] = 0
print(y, y.grad_fn)
y.sum().backward()
print(x.grad)
z = x.detach().clone()
z[z < 0] *= -1
z[0, z[0] > 1] = 9
print(z, z[[True, False]], z[torch.tensor([True, False]), 0], z[:, torch.tensor([False, True])])
b = torch.tensor([True, False, True])
b[1] = True
b &= torch.tensor([True, True, False])
print(b, b.tolist(), bool(b.any()), b.to(torch.uint8), torch.tensor([0, 1, 2]).bool(), torch.ones(3).bool(), torch.tensor([0.0, -0.0, float("nan")]).bool(), torch.zeros(0).any(), torch.zeros(0).all())
for f in (lambda: x[torch.tensor([True])], lambda: b + b, lambda: b - b, lambda: b * b, lambda: b / b, lambda: -b, lambda: ~x, lambda: x & x, lambda: b.float().sqrt(), lambda: b.sum() / 2, lambda: b.mean(), lambda: x.masked_fill(torch.tensor([1, 0]), 0), lambda: torch.where(x, x, x), lambda: b.max(), lambda: b.argmax(), lambda: b.sort().values, lambda: b.cumsum(0), lambda: b < 1, lambda: b == 1, lambda: b.requires_grad_()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
