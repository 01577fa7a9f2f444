"""nn.functional's activations: values and gradients."""
import torch
import torch.nn.functional as F

x = torch.tensor([-2.0, -0.5, 0.0, 0.7, 4.0])
for name, f in {
    "relu": F.relu, "relu6": F.relu6, "elu": F.elu, "selu": F.selu, "celu": F.celu, "gelu": F.gelu, "silu": F.silu,
    "mish": F.mish, "softplus": F.softplus, "softsign": F.softsign, "tanhshrink": F.tanhshrink, "hardtanh": F.hardtanh,
    "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish, "hardshrink": F.hardshrink, "softshrink": F.softshrink,
    "logsigmoid": F.logsigmoid, "sigmoid": F.sigmoid, "tanh": F.tanh, "leaky": F.leaky_relu,
    "leaky 0.2": lambda t: F.leaky_relu(t, negative_slope=0.2), "elu 2": lambda t: F.elu(t, alpha=2.0),
    "gelu tanh": lambda t: F.gelu(t, approximate="tanh"), "threshold": lambda t: F.threshold(t, 0.5, -9.0),
    "softplus beta": lambda t: F.softplus(t, beta=2), "softmax": lambda t: F.softmax(t, dim=0),
    "log_softmax": lambda t: F.log_softmax(t, dim=-1), "softmin": lambda t: F.softmin(t, dim=0),
    "hardtanh 2": lambda t: F.hardtanh(t, -1.5, 2.0), "prelu": lambda t: F.prelu(t, torch.tensor([0.3])),
    "glu": lambda t: F.glu(torch.cat([t, t])), "normalize": lambda t: F.normalize(t, dim=0), "dropout": lambda t: F.dropout(t, 0.5, training=False),
}.items():
    t = x.clone().requires_grad_()
    y = f(t)
    (y * torch.arange(1.0, 6.0)).sum().backward()
    print(name, y.detach(), t.grad, type(y.grad_fn).__name__)
# the last digit of such sums is arbitrary
print(torch.softmax(x, 0).sum().round(decimals=4), x.softmax(0).argmax(), torch.log_softmax(x, 0).exp().sum())
print(F.softmax(torch.tensor([1000.0, 1000.0]), dim=0), F.log_softmax(torch.tensor([-1000.0, 0.0]), dim=0))
print(F.softmax(x.view(1, 5), dim=1, dtype=torch.float64).dtype, F.dropout(x, 0.0), F.dropout(x, 1.0))
