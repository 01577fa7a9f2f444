"""softmax, log_softmax, softmin, logsumexp: stability, masks, gradients, dtype."""

import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 0.5, -1.0]], dtype=torch.float64, requires_grad=True)
for f in [
    lambda: F.softmax(x, dim=1),
    lambda: x.softmax(-1),
    lambda: torch.softmax(x, 0),
    lambda: F.log_softmax(x, 1),
    lambda: x.log_softmax(dim=1),
    lambda: F.softmin(x, dim=1),
    lambda: x.logsumexp(1),
    lambda: torch.logsumexp(x, (0, 1)),
    lambda: F.softmax(x, 1, dtype=torch.float64),
    lambda: x.softmax(1, torch.float64),
    lambda: F.logsigmoid(x),
    lambda: F.softplus(x),
    lambda: torch.exp(x - x.max(1, keepdim=True).values),
]:
    x.grad = None
    y = f()
    (y * torch.arange(y.numel(), dtype=y.dtype).view(y.shape)).sum().backward()
    print(y.detach(), x.grad, y.grad_fn.name(), y.dtype)
m = torch.tensor([[0.0, -float("inf")], [-float("inf"), -float("inf")]], requires_grad=True)
p = m.softmax(1)
print(p)
p[0].sum().backward()
print(m.grad, m.logsumexp(1), m.log_softmax(1))
print(
    torch.softmax(torch.tensor(3.0), 0),
    torch.softmax(torch.empty(0, 3), 1).shape,
    torch.softmax(torch.tensor([1, 2]), 0, dtype=torch.float32),
    torch.softmax(torch.tensor([1.0, 2.0], dtype=torch.bfloat16), 0),
)
for bad in [
    lambda: torch.softmax(x, 2),
    lambda: torch.softmax(x),
    lambda: torch.softmax(torch.tensor([1, 2]), 0),
    lambda: x.logsumexp(),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)


def own(t):
    e = torch.exp(t - t.max(dim=-1, keepdim=True)[0])
    return e / e.sum(dim=-1, keepdim=True)


z = torch.tensor([[0.3, -1.2, 2.0]], dtype=torch.float64, requires_grad=True)
print(
    torch.allclose(own(z), z.softmax(-1)),
    torch.autograd.gradcheck(own, z),
    torch.autograd.functional.jacobian(lambda t: t.softmax(-1), z[0].detach()),
)
