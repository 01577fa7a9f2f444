"""Operations on strided inputs give values, strides and gradients alike."""

import torch

x = torch.arange(24.0, dtype=torch.float64).view(2, 3, 4).requires_grad_()
views = {
    "t": x.transpose(0, 2),
    "step": x[:, :, ::2],
    "perm": x.permute(1, 2, 0),
    "sel": x[:, 1],
    "exp": x[:1].expand(2, 3, 4),
    "diag": x.diagonal(0, 1, 2),
    "unf": x.unfold(2, 2, 2),
}
for name, v in views.items():
    x.grad = None
    y = v * v
    print(
        name,
        tuple(v.shape),
        v.stride(),
        y.stride(),
        v.is_contiguous(),
        y.sum().item(),
        v.sum(0).stride(),
        v.cumsum(0).stride(),
        v.exp().stride(),
        v.clone().stride(),
        (v + 1).is_contiguous(),
        v.neg().stride(),
    )
    y.sum().backward()
    print(x.grad.sum().item(), x.grad.stride(), x.grad[0, 1].tolist())
m = torch.arange(6.0).view(2, 3)
t = m.t()
for f in (
    torch.sin,
    torch.relu,
    lambda a: a + 1,
    lambda a: a + a,
    lambda a: a > 1,
    lambda a: a.to(torch.int64),
    lambda a: a.clone(),
    lambda a: torch.where(a > 1, a, 0 * a),
    lambda a: a.softmax(0),
    lambda a: a.cumsum(0),
    lambda a: a.flip(0),
    lambda a: a.roll(1, 0),
    lambda a: torch.zeros_like(a),
    lambda a: torch.cat([a, a]),
    lambda a: torch.stack([a, a]),
    lambda a: a @ m,
    lambda a: a.masked_fill(a > 1, 0),
    lambda a: a.clamp(0, 1),
    lambda a: a.pow(2),
    lambda a: a.sort(0).values,
    lambda a: a.repeat(1, 1),
    lambda a: a.tril(),
    lambda a: a.index_select(0, torch.tensor([0])),
    lambda a: a[[0, 1]],
    lambda a: a.max(0).values,
    lambda a: torch.full_like(a, 3),
    lambda a: torch.maximum(a, a + 1),
    lambda a: a.lerp(a, 0.5),
    lambda a: a.round(),
    lambda a: a.logical_not(),
    lambda a: a.scatter(0, torch.zeros(1, 2, dtype=torch.long), 1.0),
    lambda a: a.gather(0, torch.zeros(3, 2, dtype=torch.long)),
    lambda a: torch.addcmul(a, a, a),
    lambda a: a.index_fill(0, torch.tensor([0]), 1.0),
):
    r = f(t)
    print(tuple(r.shape), r.stride(), r.is_contiguous(), r.dtype)
