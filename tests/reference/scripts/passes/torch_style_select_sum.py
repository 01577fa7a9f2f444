"""Scalar indexing, sums of parts, and gradients of every index form."""

import torch

x = torch.arange(12.0).reshape(3, 4).requires_grad_()
forms = {
    "int": lambda x: x[1],
    "two": lambda x: x[1, 2],
    "neg": lambda x: x[-1, -2],
    "slice": lambda x: x[0:2],
    "step": lambda x: x[::2, 1::2],
    "ellipsis": lambda x: x[..., 0],
    "none": lambda x: x[None, 1],
    "list": lambda x: x[[0, 2]],
    "pair": lambda x: x[[0, 0], [1, 1]],
    "tensor": lambda x: x[torch.tensor([2, 2, 0])],
    "mask": lambda x: x[x > 6],
    "rowmask": lambda x: x[torch.tensor([True, False, True])],
    "mixed": lambda x: x[1:, [0, 3]],
    "outer": lambda x: x[torch.tensor([[0], [2]]), torch.tensor([1, 3])],
    "bool": lambda x: x[True],
    "0d": lambda x: x[torch.tensor(1)],
    "empty": lambda x: x[[]],
    "range": lambda x: x[range(2)],
    "select": lambda x: x.select(1, 2),
    "narrow": lambda x: x.narrow(0, 1, 2),
    "take": lambda x: x.take(torch.tensor([0, 5, 5])),
    "diag": lambda x: x.diagonal(1),
}
for name, f in forms.items():
    y = f(x)
    (g,) = torch.autograd.grad(y.sum() * 2, x)
    print(name, tuple(y.shape), g.tolist())
for bad in (lambda: x[3], lambda: x[0, 0, 0], lambda: x[[5]], lambda: x["a"], lambda: x[:, 9]):
    try:
        bad()
    except (IndexError, TypeError) as e:
        print(type(e).__name__)
