"""In-place changes between forward and backward."""
import torch


def outcome(name, f):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    try:
        f(x).backward()
        print(name, x.grad)
    except RuntimeError as e:
        print(name, type(e).__name__)


def after(op, change):
    def f(x):
        a = x * 1
        b = op(a)
        change(a, b)
        return b.sum()
    return f


ops = {"mul self": lambda a: a * a, "mul 2": lambda a: a * 2, "exp": torch.exp, "sin": torch.sin, "add": lambda a: a + 1,
       "relu": torch.relu, "sqrt": torch.sqrt, "pow2": lambda a: a ** 2, "tanh": torch.tanh, "div": lambda a: 1 / a, "log": torch.log,
       "sum": lambda a: a.sum(), "prod": lambda a: a.prod(), "max": lambda a: a.max(), "sigmoid": torch.sigmoid, "abs": torch.abs,
       "index": lambda a: a[[0, 2]], "clamp": lambda a: a.clamp(1.5, 2.5), "cumsum": lambda a: a.cumsum(0), "norm": lambda a: a.norm(),
       "matmul": lambda a: a @ a, "softmax": lambda a: a.softmax(0), "std": lambda a: a.std(), "where": lambda a: torch.where(a > 1, a, 0)}
for name, op in ops.items():
    outcome(name + " input", after(op, lambda a, b: a.add_(1)))
    outcome(name + " output", after(op, lambda a, b: b.mul_(2)))
    outcome(name + " data", after(op, lambda a, b: a.data.add_(1)))
    outcome(name + " detach", after(op, lambda a, b: a.detach().add_(1)))
outcome("view", after(lambda a: a[:2] * a[:2], lambda a, b: a[2:].zero_()))
outcome("fill in no_grad", after(torch.exp, lambda a, b: torch.no_grad()(lambda: b.zero_())()))
outcome("setitem", after(torch.exp, lambda a, b: a.__setitem__(0, 5.0)))
outcome("copy", after(torch.sin, lambda a, b: a.copy_(b)))
outcome("loop", lambda x: sum((x * i).sum() for i in range(3)))
leaf = torch.ones(2, requires_grad=True)
for f in (lambda: leaf.add_(1), lambda: leaf.__setitem__(0, 1.0), lambda: leaf.view(2).mul_(2), lambda: leaf.zero_(),
          lambda: leaf[0].fill_(1), lambda: leaf.detach().add_(1), lambda: leaf.data.add_(1), lambda: leaf.t_() if False else leaf.resize_(1)):
    try:
        f()
        print("ok", leaf, leaf._version)
    except RuntimeError as e:
        print(type(e).__name__)
