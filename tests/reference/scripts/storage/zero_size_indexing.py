"""Zero-size tensors and indices in reading, writing and gradients."""

import torch

x = torch.arange(6.0).view(2, 3).requires_grad_()
e = torch.tensor([], dtype=torch.long)
cases = {
    "x[e]": lambda: x[e],
    "x[:, e]": lambda: x[:, e],
    "x[e, e]": lambda: x[e, e],
    "x[[]]": lambda: x[[]],
    "x[2:]": lambda: x[2:],
    "x[:, 3:]": lambda: x[:, 3:],
    "x[1:1, 0]": lambda: x[1:1, 0],
    "mask": lambda: x[x > 100],
    "gather": lambda: x.gather(0, e.view(0, 3)),
    "index_select": lambda: x.index_select(1, e),
    "take": lambda: x.take(e),
    "narrow": lambda: x.narrow(0, 1, 0),
    "masked_select": lambda: x.masked_select(x < 0),
    "split": lambda: x.split([0, 2])[0],
    "chunk": lambda: x[:0].chunk(2)[0],
    "cat": lambda: torch.cat([x[:0], x[:0]]),
    "stack": lambda: torch.stack([x[:0], x[:0]]),
    "expand": lambda: x[:0].expand(0, 3),
    "repeat": lambda: x.repeat(0, 1),
    "view": lambda: x[:0].view(3, 0),
    "flatten": lambda: x[:0].flatten(),
    "t": lambda: x[:0].t(),
    "unfold": lambda: x[:0].unfold(1, 2, 1),
    "diag": lambda: x[:0].diagonal(),
    "sort": lambda: x[:0].sort(1).values,
    "cumsum": lambda: x[:0].cumsum(0),
    "softmax": lambda: x[:0].softmax(1),
    "where": lambda: torch.where(x[:0] > 0, x[:0], 1.0),
    "matmul": lambda: x[:, :0] @ x.t()[:0],
    "masked_fill": lambda: x[:0].masked_fill(x[:0] > 0, 1.0),
    "index_add": lambda: x.index_add(0, e, x[:0]),
    "scatter": lambda: x.scatter(0, e.view(0, 3), x[:0]),
    "index_put": lambda: x.index_put((e,), x[:0]),
    "flip": lambda: x[:0].flip(0),
    "roll": lambda: x[:0].roll(1, 0),
    "sum0": lambda: x[:0].sum(0),
    "prod0": lambda: x[:0].prod(0),
    "norm": lambda: x[:0].norm(),
    "mean1": lambda: x[:0].mean(1),
    "unbind": lambda: torch.stack(x[:, :0].unbind()),
    "as_strided": lambda: x.as_strided((0, 2), (1, 1)),
    "pad": lambda: torch.nn.functional.pad(x[:0], (1, 1)),
    "clone": lambda: x[:0].clone(),
    "logsumexp": lambda: x[:0].logsumexp(1),
    "einsum": lambda: torch.einsum("ij,kj->ik", x[:0], x),
    "tril": lambda: x[:0].tril(),
    "outer": lambda: torch.outer(x[0, :0], x[0]),
    "amax": lambda: x[:0].amax(1),
    "max0": lambda: x[:0].max(0),
    "argmax": lambda: x[:0].argmax(),
    "median": lambda: x[:0].median(),
    "std": lambda: x[:0].std(),
    "min": lambda: x[:0].min(),
}
for name, f in cases.items():
    x.grad = None
    try:
        r = f()
        r.sum().backward()
        print(
            name,
            tuple(r.shape),
            r.stride() if r.numel() else "",
            None if x.grad is None else x.grad.sum().item(),
            r.grad_fn.name(),
        )
    except Exception as err:
        print(name, type(err).__name__)
y = torch.zeros(2, 3)
y[e] = 5
y[:, e] = torch.ones(2, 0)
y[[]] = torch.ones(0, 3)
y[y > 1] = torch.tensor([])
y[y > 1] = 3
y[2:] = torch.ones(3)
y[0:0].add_(torch.ones(3))
print(y, y._version)
for bad in (
    lambda: y.__setitem__(e, torch.ones(2, 3)),
    lambda: y.__setitem__(y > 1, torch.ones(2)),
    lambda: y[2:].copy_(torch.ones(2, 3)),
    lambda: y[e].item(),
    lambda: y[:0].max(),
    lambda: torch.empty(0)[0],
):
    try:
        print(bad())
    except Exception as err:
        print(type(err).__name__)
