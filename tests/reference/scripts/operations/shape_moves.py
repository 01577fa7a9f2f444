"""View or copy, dims by every spelling: transposes, moves, squeezes, flattening."""

import torch

x = torch.arange(24.0).view(2, 3, 4)
print(
    x.transpose(0, -1).shape,
    x.permute(2, 0, 1).shape,
    x.permute((1, 0, 2)).shape,
    torch.permute(x, dims=(0, 2, 1)).stride(),
)
print(
    x.movedim(0, 2).shape,
    x.movedim((0, 1), (1, 0)).shape,
    torch.moveaxis(x, -1, 0).shape,
    x.swapaxes(0, 1).shape,
    torch.swapdims(x, 0, 2).shape,
)
print(x.mT.shape, x[0].T.shape, x[0].t().shape, x[0].H.shape, x[0].adjoint().shape, x.mH.shape)
print(
    x.flatten().shape,
    x.flatten(1).shape,
    x.flatten(0, 1).shape,
    x.flatten(start_dim=-2).shape,
    torch.flatten(x, end_dim=1).shape,
    x.ravel().shape,
)
print(
    x.unflatten(2, (2, 2)).shape,
    x.unflatten(-1, (-1, 2)).shape,
    torch.unflatten(x, 1, (3, 1)).shape,
)
print(
    x.squeeze().shape,
    x.unsqueeze(0).squeeze(0).shape,
    x.unsqueeze(-1).shape,
    x[:1].squeeze(0).shape,
    x.squeeze(1).shape,
    x[:1, :1].squeeze((0, 1)).shape,
)
print(
    x.view(-1).shape,
    x.view(6, -1).shape,
    x.reshape(4, -1).shape,
    x.reshape((2, 12)).shape,
    x.view(2, 3, 2, 2).shape,
    torch.reshape(x, (-1,)).shape,
)
print(
    x.view_as(torch.zeros(4, 6)).shape,
    x.reshape_as(torch.zeros(24)).shape,
    x.expand_as(torch.zeros(5, 2, 3, 4)).shape,
)
print(
    x.is_contiguous(),
    x.transpose(0, 1).is_contiguous(),
    x.transpose(0, 1).contiguous().is_contiguous(),
)
print(
    torch.atleast_1d(torch.tensor(1.0)),
    torch.atleast_2d(torch.tensor([1.0])).shape,
    torch.atleast_3d(torch.ones(2, 2)).shape,
    [t.shape for t in torch.atleast_2d(torch.tensor(1), torch.ones(3))],
)
print(
    x.numel(),
    x.dim(),
    x.ndim,
    x.size(),
    x.size(-1),
    x.nelement(),
    x.ndimension(),
    x.element_size(),
    x.nbytes,
)
for bad in [
    lambda: x.view(5, 5),
    lambda: x.transpose(0, 1).view(-1),
    lambda: x.permute(0, 1),
    lambda: x.permute(0, 0, 1),
    lambda: x.view(-1, -1),
    lambda: x.t(),
    lambda: x.unsqueeze(5),
    lambda: x.flatten(2, 1),
    lambda: x.unflatten(0, (3, 3)),
    lambda: x.expand(3, 3, 4),
    lambda: x.transpose(0, 3),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
s = torch.tensor(3.0)
print(
    s.view(1, 1),
    s.reshape(-1),
    s.flatten().shape,
    s.expand(2),
    s.unsqueeze(0),
    s.t(),
    s.transpose(0, -1),
    s.permute(()),
    s.squeeze(0),
)
e = torch.empty(0, 3)
print(e.view(3, 0).shape, e.reshape(-1, 3).shape, e.flatten().shape, e.t().shape)
try:
    e.reshape(-1, 0)
except RuntimeError as error:
    print(type(error).__name__)
y = x.clone().requires_grad_()
for v in [
    y.transpose(0, 1),
    y.permute(2, 1, 0),
    y.flatten(),
    y.unsqueeze(0),
    y[0],
    y.expand(2, 2, 3, 4),
    y.movedim(0, 1),
    y.mT,
    y.unflatten(2, (2, 2)),
    y.reshape(3, 8),
    y.squeeze(),
    y.swapaxes(0, 1),
    y.diagonal(),
    y.narrow(0, 0, 1),
    y.unfold(2, 2, 1),
    y.view(24),
    y.view_as(y),
]:
    print(v.grad_fn.name(), v._is_view(), v._base is y)
