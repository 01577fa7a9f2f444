"""Which shapes broadcast, what comes out, and how gradients come back."""
import torch

pairs = [((3,), ()), ((2, 3), (3,)), ((2, 1), (1, 3)), ((4, 1, 3), (2, 1)), ((0,), (1,)), ((1,), (1, 1)), ((2, 0), (1,))]
for s, t in pairs:
    a = torch.ones(s, requires_grad=True)
    b = torch.full(t, 2.0, requires_grad=True)
    y = a * b + b
    y.sum().backward()
    print(s, t, tuple(y.shape), tuple(a.grad.shape), a.grad.sum().item(), b.grad.sum().item())
for s, t in [((2,), (3,)), ((2, 3), (2,)), ((4, 3), (3, 4)), ((0,), (2,))]:
    try:
        torch.ones(s) + torch.ones(t)
    except RuntimeError as e:
        print(s, t, type(e).__name__, "must match the size" in str(e))
x = torch.zeros(2, 3)
x += torch.tensor([1.0, 2.0, 3.0])
x.mul_(torch.tensor([[1.0], [10.0]]))
print(x)
try:
    torch.zeros(3).add_(torch.zeros(2, 3))
except RuntimeError as e:
    print(type(e).__name__, "doesn't match the broadcast shape" in str(e))
w = torch.ones(3, requires_grad=True)
y = torch.zeros(2, 3)
y = y + w
z = w * torch.tensor([[1.0], [2.0]])
(y + z).sum().backward()
print(w.grad)
bias = torch.zeros(1, requires_grad=True)
(torch.ones(4, 4) + bias).pow(2).mean().backward()
print(bias.grad)
print((torch.arange(3) == torch.arange(3)[:, None]).int())
