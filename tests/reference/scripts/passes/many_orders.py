"""Derivatives of orders one to six."""
import math
import torch


def orders(f, x, n):
    out, y = [], f(x)
    for _ in range(n):
        if not y.requires_grad:
            out.append(None)
            continue
        (y,) = torch.autograd.grad(y, x, create_graph=True, allow_unused=True)
        if y is None:
            out.append(None)
            break
        out.append(round(y.item(), 5))
    return out


x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
for name, f in {
    "sin": torch.sin, "exp": torch.exp, "log": torch.log, "tanh": torch.tanh, "sqrt": torch.sqrt,
    "sigmoid": torch.sigmoid, "reciprocal": torch.reciprocal, "x5": lambda x: x ** 5,
    "xx": lambda x: x ** x, "2x": lambda x: 2 ** x, "square": torch.square, "rsqrt": torch.rsqrt,
    "atan": torch.atan, "erf": torch.erf, "softplus": torch.nn.functional.softplus,
    "mul": lambda x: x * x * x * x, "div": lambda x: 1 / (1 + x), "cube": lambda x: x.pow(3),
    "log1p": torch.log1p, "expm1": torch.expm1, "cosh": torch.cosh, "asinh": torch.asinh,
    "lgamma": torch.lgamma, "abs": torch.abs, "relu": torch.relu, "gelu": torch.nn.functional.gelu,
    "silu": torch.nn.functional.silu, "logsigmoid": torch.nn.functional.logsigmoid,
    "elu": torch.nn.functional.elu, "sinc": torch.sinc, "digamma": torch.digamma,
}.items():
    try:
        print(name, orders(f, x, 6))
    except RuntimeError as e:
        print(name, type(e).__name__)
y = x
for k in range(1, 6):
    y = torch.autograd.grad((x * 1).exp() if k == 1 else y, x, create_graph=True)[0]
    print(k, y, math.isclose(y.item(), math.exp(0.7)))
