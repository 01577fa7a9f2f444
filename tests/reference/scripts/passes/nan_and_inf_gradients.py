"""Where NaN and infinite gradients come from, and the where trick."""

import torch

x = torch.tensor([0.0, 1.0, -1.0], requires_grad=True)


def g(f):
    x.grad = None
    f(x).sum().backward()
    return x.grad.clone()


print(g(lambda x: x.sqrt()))
print(g(lambda x: x.log()))
print(g(lambda x: 1 / x))
print(g(lambda x: torch.where(x > 0, x.sqrt(), torch.zeros_like(x))))
print(
    g(
        lambda x: torch.where(
            x > 0, torch.where(x > 0, x, torch.ones_like(x)).sqrt(), torch.zeros_like(x)
        )
    )
)
print(g(lambda x: x.abs()))
print(g(lambda x: x**0.5))
print(g(lambda x: x.abs() ** 0.5))
print(g(lambda x: x / x.norm()))
print(g(lambda x: x * float("inf")))
print(g(lambda x: torch.atan2(x, torch.zeros(3))))
print(g(lambda x: x.clamp(min=0.0).sqrt()))
print(g(lambda x: torch.acos(x)))
print(g(lambda x: x.nan_to_num()))
print(torch.isnan(g(lambda x: x.log() * 0)))
