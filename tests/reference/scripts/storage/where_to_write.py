"""Functional twins of in-place writes leave the input alone."""

import warnings

import torch

warnings.simplefilter("ignore")  # index_reduce is in beta

x = torch.arange(4.0, requires_grad=True)
i = torch.tensor([1, 3])
calls = {
    "index_put": lambda: x.index_put((i,), torch.tensor([9.0, 8.0])),
    "index_add": lambda: x.index_add(0, i, torch.ones(2)),
    "index_copy": lambda: x.index_copy(0, i, torch.zeros(2)),
    "index_fill": lambda: x.index_fill(0, i, 5),
    "scatter": lambda: x.scatter(0, i, torch.zeros(2)),
    "scatter value": lambda: x.scatter(0, i, 2.0),
    "scatter_add": lambda: x.scatter_add(0, i, torch.ones(2)),
    "masked_fill": lambda: x.masked_fill(x > 1, 0.0),
    "masked_scatter": lambda: x.masked_scatter(x > 1, torch.ones(4)),
    "put": lambda: x.put(i, torch.ones(2)),
    "where": lambda: torch.where(x > 1, x, 7.0),
    "slice_scatter": lambda: x.slice_scatter(torch.ones(2), 0, 1, 3),
    "select_scatter": lambda: x.select_scatter(torch.tensor(6.0), 0, 2),
    "clamp": lambda: x.clamp(1, 2),
    "fill": lambda: torch.fill(x, 3.0),
    "take": lambda: x.take(i),
    "masked_select": lambda: x.masked_select(x > 1),
    "flip": lambda: x.flip(0),
    "roll": lambda: x.roll(1),
}
for name, f in calls.items():
    x.grad = None
    r = f()
    # PyTorch gives as_strided_scatter's input the gradient of what was replaced
    if name != "as_strided_scatter":
        (r * torch.arange(1.0, len(r) + 1)).sum().backward()
    print(
        name,
        r.tolist(),
        r.grad_fn,
        None if x.grad is None else x.grad.tolist(),
        x._version,
        x.tolist(),
        r._is_view(),
    )
