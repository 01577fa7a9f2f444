"""transpose, permute, movedim, swapaxes, T, mT: shapes, strides, inverses, gradients."""
import torch

x = torch.arange(24.0).view(2, 3, 4).requires_grad_()
p = x.permute(2, 0, 1)
print(p.shape, p.stride(), p.is_contiguous(), p.grad_fn.name())
print(torch.equal(p.permute(1, 2, 0), x), x.permute(-1, 0, 1).shape, torch.permute(x, [0, 2, 1]).shape)
print(x.transpose(0, -1).shape, x.mT.shape, x.movedim(0, 2).shape, x.movedim((0, 1), (2, 0)).shape, torch.moveaxis(x, -1, 0).shape)
print(x.swapaxes(0, 1).shape, torch.swapdims(x, 0, 2).shape, x[0].T.shape, x[0].t().shape, x[0].H.shape, x.adjoint().shape)
(p * torch.arange(24.0).view(4, 2, 3)).sum().backward()
print(x.grad)
img = torch.arange(12).view(2, 2, 3)
chw = img.permute(2, 0, 1)
print(chw[0], chw.contiguous().stride(), chw.unsqueeze(0).shape)
b = x.detach()
print((b.transpose(1, 2) @ b).shape, torch.matmul(b, b.mT).shape, b.flatten(0, 1).shape, b.flatten(1).shape)
print(b.squeeze().shape, b[:, :1].squeeze(1).shape, b[:, :1].squeeze().shape, b[:1, :1].squeeze((0, 1)).shape, b.squeeze(1).shape)
print(b.unsqueeze(-1).shape, b.unsqueeze(1).shape, b[..., None].shape, b[:, None].shape, b.unsqueeze(-4).shape)
for bad in [lambda: x.permute(0, 1), lambda: x.permute(0, 0, 1), lambda: x.transpose(0, 3), lambda: x.t(), lambda: x.movedim(0, 5), lambda: x.unsqueeze(5)]:
    try:
        bad()
    except (RuntimeError, IndexError) as e:
        print(type(e).__name__)
