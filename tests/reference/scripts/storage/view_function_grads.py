"""Every view function: write through it and check both gradients."""

import torch

x = torch.arange(1.0, 25.0, dtype=torch.float64)
s = torch.tensor(3.0, dtype=torch.float64)
shape = (2, 3, 4)
views = {
    "view": lambda t: t.view(6, 4),
    "reshape": lambda t: t.reshape(4, 6),
    "transpose": lambda t: t.transpose(0, 2),
    "permute": lambda t: t.permute(2, 0, 1),
    "movedim": lambda t: t.movedim(0, 2),
    "mT": lambda t: t.mT,
    "narrow": lambda t: t.narrow(2, 1, 2),
    "select": lambda t: t.select(1, -1),
    "slice": lambda t: t[:, ::2, 1:],
    "int": lambda t: t[1, 2],
    "ellipsis": lambda t: t[..., 0],
    "none": lambda t: t[:, None],
    "squeeze": lambda t: t[:, :1].squeeze(1),
    "unsqueeze": lambda t: t.unsqueeze(-1),
    "flatten": lambda t: t.flatten(1),
    "unflatten": lambda t: t.unflatten(2, (2, 2)),
    "diagonal": lambda t: t.diagonal(0, 1, 2),
    "unfold": lambda t: t.unfold(2, 2, 2),
    "as_strided": lambda t: t.as_strided((3, 2), (2, 12)),
    "view_as": lambda t: t.view_as(torch.empty(24)),
    "swapaxes": lambda t: t.swapaxes(1, 2),
    "detach no": lambda t: t.view(-1)[5:9],
    "alias": lambda t: t[...],
    "expand one": lambda t: t.unsqueeze(0).expand(1, 2, 3, 4),
    "ravel": lambda t: t.ravel(),
    "chain": lambda t: t.permute(1, 2, 0)[1:].transpose(0, 1)[..., 0],
    "scalar": lambda t: t[0, 0, 0],
    "real": lambda t: t.real,
    "broadcast_to": lambda t: t.broadcast_to(2, 3, 4),
    "atleast": lambda t: torch.atleast_3d(t),
    "unsqueeze mid": lambda t: t.unsqueeze(1).squeeze(1),
    "tsplit": lambda t: t.tensor_split(2)[1],
    "hsplit": lambda t: t.hsplit(3)[1],
}
for name, f in views.items():
    a = x.clone().requires_grad_()
    b = s.clone().requires_grad_()
    y = (a * 1).view(shape)
    v = f(y)
    try:
        v.mul_(b).add_(a[0])
    except RuntimeError:
        print(name, "RuntimeError")
        continue
    w = torch.arange(1.0, 25.0, dtype=torch.float64).view(shape)
    (y * w).sum().backward()
    print(
        name,
        tuple(v.shape),
        v.stride(),
        v.storage_offset(),
        y._version,
        round(a.grad[0].item(), 4),
        round(a.grad.sum().item(), 4),
        round(b.grad.item(), 4),
        y.grad_fn.name(),
        v.grad_fn.name(),
    )
