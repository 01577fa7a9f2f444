"""Activation functions at their kinks, with second derivatives."""

import torch
import torch.nn.functional as F

x0 = torch.tensor([-4.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 5.0, 5.5], dtype=torch.float64)
fs = {
    "relu": F.relu,
    "relu6": F.relu6,
    "leaky": lambda t: F.leaky_relu(t, 0.1),
    "elu": lambda t: F.elu(t, 1.5),
    "selu": F.selu,
    "celu": lambda t: F.celu(t, 2.0),
    "gelu": F.gelu,
    "gelut": lambda t: F.gelu(t, approximate="tanh"),
    "silu": F.silu,
    "mish": F.mish,
    "softplus": F.softplus,
    "softplus2": lambda t: F.softplus(t, beta=2, threshold=5),
    "softshrink": F.softshrink,
    "hardshrink": F.hardshrink,
    "tanhshrink": F.tanhshrink,
    "hardtanh": F.hardtanh,
    "hardswish": F.hardswish,
    "logsigmoid": F.logsigmoid,
    "threshold": lambda t: F.threshold(t, 0.5, 9.0),
    "rrelu": F.rrelu,
    "sigmoid": F.sigmoid,
    "tanh": F.tanh,
    "glu": F.glu,
}
for name, f in fs.items():
    x = x0.clone().requires_grad_()
    y = f(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    print(name, y.detach() + 0.0, g.detach(), y.grad_fn.name())
    if g.requires_grad:
        try:
            print("   ", torch.autograd.grad(g.sum(), x, allow_unused=True)[0])
        except RuntimeError as error:
            print("   ", type(error).__name__)
for name in "relu relu6 elu selu celu leaky_relu hardtanh silu mish hardswish hardsigmoid".split():
    t = torch.tensor([-1.0, 2.0])
    print(name, getattr(F, name)(t, inplace=True) is t, t)
print(
    F.relu(torch.tensor([-1, 2])),
    torch.relu_(torch.tensor([-1.0])),
    F.elu_(torch.tensor([-1.0])),
    torch.selu(torch.tensor(-1.0)),
    torch.celu(torch.tensor(-1.0)),
    torch.prelu(torch.tensor([-1.0]), torch.tensor([0.5])),
)
