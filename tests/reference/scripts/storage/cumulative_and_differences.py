"""cumsum, cumprod, cummax, diff, logcumsumexp: along any dim, gradients, inverses."""
import torch

x = torch.tensor([[1.0, 3.0, 2.0], [4.0, 0.5, 6.0]])
for name, f in {
    "cumsum": lambda t: t.cumsum(0), "cumsum 1": lambda t: t.cumsum(-1), "cumprod": lambda t: t.cumprod(1), "cummax": lambda t: t.cummax(1)[0],
    "cummin": lambda t: t.cummin(0).values, "logcumsumexp": lambda t: t.logcumsumexp(1), "diff": lambda t: t.diff(), "diff 2": lambda t: t.diff(n=2),
    "diff 0": lambda t: torch.diff(t, dim=0), "reverse": lambda t: t.flip(1).cumsum(1).flip(1), "trapezoid": lambda t: torch.trapezoid(t, dim=1),
    "in place": lambda t: (t * 1).cumsum_(1), "running mean": lambda t: t.cumsum(1) / torch.arange(1.0, 4.0),
}.items():
    t = x.clone().requires_grad_()
    y = f(t)
    (y * torch.arange(1.0, y.numel() + 1).view(y.shape)).sum().backward()
    print(name, y.detach(), t.grad)
print(torch.cumsum(torch.tensor([1, 2, 3]), 0), torch.cumsum(torch.tensor([True, True]), 0), x.cumsum(0, dtype=torch.float64).dtype)
print(torch.diff(torch.tensor([1, 4, 9])), torch.diff(torch.tensor([1, 2]), prepend=torch.tensor([0])), torch.cumprod(torch.tensor([2, 3]), 0))
r = torch.tensor([1.0, 0.0, 2.0])
gamma, out, run = 0.5, torch.zeros(3), 0.0
for i in reversed(range(3)):
    run = r[i] + gamma * run
    out[i] = run
print(out)
