"""A saved tensor that is overwritten is noticed in backward, a tensor that is not saved is not."""
import torch


def check(label, forward):
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    try:
        forward(x).sum().backward()
        print(f"{label:12}", x.grad)
    except RuntimeError as e:
        print(f"{label:12}", "one of the variables needed for gradient computation" in str(e))


def then_add(op):
    def run(x):
        y = x * 1
        z = op(y)
        y.add_(1)
        return z

    return run


def result_add(op):
    def run(x):
        z = op(x)
        kept = z * 1
        z.add_(1)
        return kept

    return run


for name in ["exp", "log", "sin", "cos", "tanh", "sigmoid", "sqrt", "relu", "abs", "neg", "square",
             "reciprocal", "rsqrt", "atan", "sinh", "expm1", "log1p", "erf", "round", "sign"]:
    op = getattr(torch, name)
    check(name + " input", then_add(op))
    check(name + " out", result_add(op))
check("mul", then_add(lambda y: y * torch.ones(2)))
check("mul y*y", then_add(lambda y: y * y))
check("add", then_add(lambda y: y + y))
check("div", then_add(lambda y: 1 / y))
check("sum", then_add(lambda y: y.sum()))
check("prod", then_add(lambda y: y.prod()))
check("softmax", then_add(lambda y: y.softmax(0)[0]))
check("norm", then_add(lambda y: y.norm()))
check("max", then_add(lambda y: y.max()))
check("clone", then_add(lambda y: y.clone()))
