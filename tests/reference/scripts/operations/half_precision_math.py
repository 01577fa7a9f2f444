"""float16 and bfloat16 arithmetic rounds, overflows and prints as it should."""

import torch

for dtype in (torch.float16, torch.bfloat16):
    x = torch.tensor([0.1, 1.5, 300.0, -7.25], dtype=dtype, requires_grad=True)
    for f in (
        torch.exp,
        torch.sin,
        torch.sqrt,
        torch.tanh,
        torch.sigmoid,
        torch.square,
        torch.reciprocal,
        torch.log1p,
        torch.rsqrt,
        torch.expm1,
    ):
        y = f(x)
        (g,) = torch.autograd.grad(y.sum(), x)
        print(f.__name__, y.detach(), g)
    print(x + 0.1, x * x, x / 3, x - 1e-3, 1 / x, x**0.5)
    print(x.sum(), x.mean(), x.var(), x.norm(), x.softmax(0), x.cumsum(0), x.logsumexp(0))
    print(
        (x * 1000).detach(), torch.finfo(dtype).max, torch.finfo(dtype).eps, torch.finfo(dtype).tiny
    )
    y = (x.float() ** 2).to(dtype)
    y.sum().backward()
    print(y.grad_fn, x.grad, x.grad.dtype)
    print(
        torch.ones(2, 2, dtype=dtype) @ torch.full((2, 2), 0.1, dtype=dtype),
        torch.arange(0, 1, 0.25, dtype=dtype),
    )
    print(
        torch.maximum(x, -x).detach(),
        torch.where(x > 1, x, 0.0).detach(),
        torch.clamp(x, 0, 2).detach(),
        x.detach().floor(),
        x.detach() // 2,
        x.detach() % 2,
    )
    print(x.item if False else x[0].item(), x.detach().tolist())
