"""What can be walked twice and what cannot."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


def twice(name, f):
    y = f(x).sum()
    y.backward()
    try:
        y.backward()
        print(name, "twice", x.grad)
    except RuntimeError as e:
        print(name, type(e).__name__)
    x.grad = None


twice("add", lambda x: x + 1)
twice("mul const", lambda x: x * 3)
twice("mul self", lambda x: x * x)
twice("neg", lambda x: -x)
twice("exp", lambda x: x.exp())
twice("view", lambda x: x.view(2, 1).t())
twice("index", lambda x: x[0])
twice("sum", lambda x: x.sum(0))
twice("mean", lambda x: x.mean())
twice("pow1", lambda x: x ** 1)
twice("pow2", lambda x: x ** 2)
twice("pow0", lambda x: x ** 0)
twice("div", lambda x: x / 2)
twice("rdiv", lambda x: 2 / x)
twice("cat", lambda x: torch.cat([x, x]))
twice("stack", lambda x: torch.stack([x, x]))
twice("relu", lambda x: x.relu())
twice("clone", lambda x: x.clone())
twice("where", lambda x: torch.where(x > 1, x, 0))
twice("max", lambda x: x.max())
twice("sub", lambda x: x - x)
twice("expand", lambda x: x.expand(3, 2))
twice("double", lambda x: x.double())
twice("matmul", lambda x: x @ torch.ones(2))
twice("mask", lambda x: x.masked_fill(torch.tensor([True, False]), 0))
twice("gather", lambda x: x.gather(0, torch.tensor([1, 1])))
twice("cumsum", lambda x: x.cumsum(0))
twice("clamp", lambda x: x.clamp(0, 1.5))
twice("abs", lambda x: x.abs())
twice("flip", lambda x: x.flip(0))
twice("sort", lambda x: x.sort()[0])
twice("norm", lambda x: x.norm())
twice("softmax", lambda x: x.softmax(0))
twice("sin", lambda x: x.sin())
twice("lerp", lambda x: x.lerp(torch.zeros(2), 0.5))
