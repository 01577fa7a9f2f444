"""Moving averages by unfold, conv, cumsum and stride tricks; gradients must agree."""

import torch
import torch.nn.functional as F

x = torch.tensor([1.0, 4.0, 2.0, 8.0, 5.0, 7.0], dtype=torch.float64, requires_grad=True)
k = 3
forms = [
    lambda: x.unfold(0, k, 1).mean(-1),
    lambda: F.conv1d(x.view(1, 1, -1), torch.full((1, 1, k), 1 / k, dtype=torch.float64)).view(-1),
    lambda: F.avg_pool1d(x[None, None], k, stride=1)[0, 0],
    lambda: (lambda c: (c[k:] - c[:-k]) / k)(
        torch.cat([torch.zeros(1, dtype=torch.float64), x.cumsum(0)])
    ),
    lambda: torch.as_strided(x, (4, 3), (1, 1)).mean(1),
    lambda: torch.stack([x[i : i + k] for i in range(4)]).mean(1),
    lambda: x[torch.arange(4)[:, None] + torch.arange(k)].mean(1),
    lambda: sum(x[i : i + 4] for i in range(k)) / k,
    lambda: torch.stack([x.narrow(0, i, k).mean() for i in range(4)]),
    lambda: (x.roll(1) + x + x.roll(-1))[1:-1] / k,
]
for f in forms:
    x.grad = None
    y = f()
    (y * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    print(y.detach(), x.grad, y.grad_fn.name())
print(
    x.unfold(0, 2, 2).max(1),
    F.max_pool1d(x[None], 2),
    x.detach().cummax(0).values,
    x.unfold(0, 4, 3).shape,
    x.view(2, 3).unfold(1, 2, 1).shape,
)
ema = [x[0]]
for v in x[1:]:
    ema.append(0.5 * ema[-1] + 0.5 * v)
ema = torch.stack(ema)
x.grad = None
ema[-1].backward()
print(ema, x.grad)
print(
    torch.diff(x),
    torch.diff(x, n=2),
    x[1:] / x[:-1] - 1,
    (x[1:] > x[:-1]).int(),
    torch.sign(torch.diff(x.detach())),
    x.detach().argmax(),
    x.std(),
    x.detach().flip(0)[:2],
)
for bad in [
    lambda: x.unfold(0, 7, 1),
    lambda: x.unfold(0, 2, 0),
    lambda: x.unfold(1, 2, 1),
    lambda: torch.as_strided(x, (4, 4), (2, 2)),
    lambda: x.narrow(0, 4, 3),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
