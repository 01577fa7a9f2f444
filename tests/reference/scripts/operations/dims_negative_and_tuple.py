"""Negative dims, tuples of dims and lists of dims everywhere they are taken."""

import torch

x = torch.arange(24, dtype=torch.float64).view(2, 3, 4).requires_grad_()
w = torch.arange(24.0).view(2, 3, 4)
for f in [
    lambda: x.sum(-1),
    lambda: x.sum((-1, 0)),
    lambda: x.sum([0, -2]),
    lambda: x.mean((-3, -1), keepdim=True),
    lambda: x.amax((-1, -2)),
    lambda: x.max(-2).values,
    lambda: x.std((-1,)),
    lambda: x.logsumexp((-1, 0)),
    lambda: x.norm(dim=(-1, -2)),
    lambda: x.flip((-1, 0)),
    lambda: x.permute(-1, 0, 1),
    lambda: x.transpose(-1, -3),
    lambda: x.squeeze((-1, 0)),
    lambda: x.unsqueeze(-2),
    lambda: x.movedim((-1, 0), (0, 1)),
    lambda: x.softmax(-2),
    lambda: x.cumsum(-3),
    lambda: torch.cat([x, x], -1),
    lambda: torch.stack([x, x], -1),
    lambda: x.split(2, -1)[1],
    lambda: x.unbind(-1)[0],
    lambda: x.select(-1, -1),
    lambda: x.narrow(-1, -2, 2),
    lambda: x.index_select(-1, torch.tensor([0, 3])),
    lambda: x.flatten(-2, -1),
    lambda: x.unflatten(-1, (2, 2)),
    lambda: x.diagonal(dim1=-1, dim2=-2),
    lambda: x.roll((1, -1), (-1, -2)),
    lambda: x.rot90(1, (-1, -2)),
    lambda: x.topk(2, -2).values,
    lambda: x.sort(-1, descending=True)[0],
    lambda: x.diff(dim=-3),
    lambda: x.prod(-1),
    lambda: x.var(dim=[-1, -2], correction=0),
    lambda: x.gather(-1, torch.zeros(2, 3, 1, dtype=torch.long)),
    lambda: x.repeat_interleave(2, -2),
    lambda: x.kthvalue(2, -1).values,
    lambda: x.tensor_split(2, -1)[0],
    lambda: x.unfold(-1, 2, 2),
    lambda: x.quantile(0.5, -1),
    lambda: x.median(-1)[0],
    lambda: torch.linalg.vector_norm(x, dim=(-1,)),
    lambda: x.nansum((-1, -2)),
    lambda: x.all(-1).float(),
    lambda: torch.trapezoid(x, dim=-2),
    lambda: x.swapaxes(-1, 0),
    lambda: torch.linalg.norm(x, dim=-1),
    lambda: torch.tensordot(x, x, ([-1], [-1])),
    lambda: x.logcumsumexp(-1),
    lambda: x.cummax(-2)[0],
    lambda: x.masked_fill(x > 3, 0).count_nonzero((-1, -2)).float(),
]:
    x.grad = None
    y = f()
    if y.requires_grad:
        y.sum().backward()
    print(
        tuple(y.shape),
        y.sum().item().__round__(4),
        None if x.grad is None else round(x.grad.pow(2).sum().item(), 4),
        y.grad_fn.name() if y.grad_fn else None,
    )
for bad in [
    lambda: x.sum(-4),
    lambda: x.transpose(-4, 0),
    lambda: x.unsqueeze(-5),
    lambda: x.sum((0, -3)),
    lambda: x.permute(-1, -1, 0),
    lambda: x.flip((0, -3)),
    lambda: x.movedim((0, 0), (1, 2)),
    lambda: x.flatten(-1, -2),
    lambda: x.select(0, -3),
    lambda: x.narrow(0, -3, 1),
    lambda: x.squeeze(3),
    lambda: x.topk(5, -1),
    lambda: x.cumsum(3),
    lambda: x.diagonal(dim1=0, dim2=-3),
    lambda: x.softmax(-4),
    lambda: torch.stack([x], 5),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
