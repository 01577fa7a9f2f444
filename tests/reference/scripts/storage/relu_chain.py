"""The in-place relu that breaks and the one that does not."""

import torch
import torch.nn.functional as F


def run(name, f):
    x = torch.tensor([[-1.0, 2.0], [3.0, -4.0]], requires_grad=True)
    try:
        y = f(x)
        y.sum().backward()
        print(name, x.grad, y.grad_fn)
    except RuntimeError as e:
        print(name, "RuntimeError")


run("relu_ on result", lambda x: (x + 0).relu_())
run("relu_ on leaf", lambda x: F.relu_(x))
run("relu inplace after exp", lambda x: F.relu(x.exp(), inplace=True))
run("relu inplace after tanh", lambda x: F.relu(x.tanh(), inplace=True))
run("relu inplace after linear", lambda x: F.relu(x @ torch.eye(2), inplace=True))
run("relu after sigmoid then mul", lambda x: torch.relu_(torch.sigmoid(x)) * 2)
run("dropout inplace p=0", lambda x: F.dropout(x * 1, p=0.0, inplace=True))
run("module", lambda x: torch.nn.Sequential(torch.nn.ReLU(inplace=True), torch.nn.Sigmoid())(x * 2))
run("module leaf", lambda x: torch.nn.ReLU(inplace=True)(x))
run("residual wrong", lambda x: (lambda h: h.mul(h) + F.relu(h, inplace=True))(x * 1))
run("residual right", lambda x: (lambda h: h + F.relu(h, inplace=True))(x * 1))
run("residual aug", lambda x: (lambda h: h.relu_().add_(x))(x * 1))
run("leaky", lambda x: F.leaky_relu(x * 1, 0.2, inplace=True))
run("elu", lambda x: F.elu(x * 1, inplace=True))
run("selu", lambda x: F.selu(x * 1, inplace=True))
run("silu", lambda x: F.silu(x * 1, inplace=True))
run("hardswish", lambda x: F.hardswish(x * 1, inplace=True))
run("hardsigmoid", lambda x: F.hardsigmoid(x * 1, inplace=True))
run("relu6", lambda x: F.relu6(x * 1, inplace=True))
run("threshold", lambda x: F.threshold(x * 1, 0.5, 9.0, inplace=True))
run("mish", lambda x: F.mish(x * 1, inplace=True))
run("celu", lambda x: F.celu(x * 1, inplace=True))
run("rrelu", lambda x: F.rrelu(x * 1, 0.2, 0.2, inplace=True))
