"""Gradients of gradients through indexing, gather, masks and scatter."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
i = torch.tensor([0, 2, 2])
fs = {
    "index": lambda t: (t[i] ** 3).sum(),
    "mask": lambda t: (t[t > 1.5] ** 3).sum(),
    "gather": lambda t: (t.gather(0, i) ** 3).sum(),
    "take": lambda t: (t.take(i) ** 3).sum(),
    "index_select": lambda t: (t.index_select(0, i) ** 3).sum(),
    "scatter": lambda t: (
        torch.zeros(3, dtype=torch.float64).scatter(0, i[:2], t[:2]) ** 3 * t
    ).sum(),
    "scatter_add": lambda t: (t.scatter_add(0, i, t) ** 3).sum(),
    "index_add": lambda t: (t.index_add(0, i, t**2)).pow(2).sum(),
    "index_put": lambda t: (t.index_put((i[:2],), t[:2] * t[1:]) ** 3).sum(),
    "masked_fill": lambda t: (t.masked_fill(t > 2.5, 0.0) ** 3).sum(),
    "masked_scatter": lambda t: (t.masked_scatter(t > 1.5, t**2) ** 2).sum(),
    "where": lambda t: torch.where(t > 1.5, t**3, t**2).sum(),
    "index_copy": lambda t: (t.index_copy(0, i[:2], t[:2] ** 2) ** 2).sum(),
    "put": lambda t: (t.put(i[:2], t[:2] ** 2) ** 2).sum(),
    "setitem": lambda t: (lambda y: (y.__setitem__(0, t[1] * t[2]), (y**2).sum())[1])(t.clone()),
    "select_scatter": lambda t: (t.select_scatter(t[0] ** 2, 0, 1) ** 2).sum(),
    "slice_scatter": lambda t: (t.slice_scatter(t[:2] ** 2, 0, 1) ** 2).sum(),
    "diagonal": lambda t: (torch.outer(t, t).diagonal() ** 2).sum(),
    "unfold": lambda t: (t.unfold(0, 2, 1).prod(1) ** 2).sum(),
    "as_strided": lambda t: (t.as_strided((2, 2), (1, 1)) ** 3).sum(),
    "sort": lambda t: (t.sort(descending=True).values * t).sum(),
    "roll": lambda t: (t.roll(1) * t**2).sum(),
    "cat": lambda t: (torch.cat([t, t[:1]]) ** 3).sum(),
    "expand": lambda t: (t.expand(2, 3) ** 3).sum(),
    "unbind": lambda t: t.unbind()[0] * t.unbind()[2] ** 2,
    "split": lambda t: (t.split(2)[0] ** 3).sum() * t.split(2)[1].sum(),
    "scatter_reduce": lambda t: (t.scatter_reduce(0, i, t**2, "sum") ** 2).sum(),
    "prod": lambda t: t.scatter_reduce(0, i, t, "prod").sum(),
    "take_along": lambda t: (torch.take_along_dim(t, i, 0) ** 2 * t).sum(),
    "flip view": lambda t: (t.flip(0).view(3, 1) @ t.view(1, 3)).sum(),
}
for name, f in fs.items():
    y = f(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    h = [
        torch.autograd.grad(g[k], x, retain_graph=True, allow_unused=True)[0]
        if g.requires_grad
        else None
        for k in range(3)
    ]
    print(
        name,
        [round(v, 3) for v in [y.item(), *g.tolist()]],
        [None if r is None else [round(v, 3) for v in r.tolist()] for r in h],
    )
