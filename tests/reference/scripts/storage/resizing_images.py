"""interpolate, pixel_shuffle, unfold and fold."""
import torch
import torch.nn.functional as F

x = torch.arange(4.0).view(1, 1, 2, 2)
for kw in [{"scale_factor": 2}, {"size": (3, 3)}, {"scale_factor": 2, "mode": "bilinear"}, {"size": 3, "mode": "bilinear", "align_corners": True},
           {"size": (4, 3), "mode": "area"}, {"scale_factor": 2, "mode": "nearest-exact"}, {"size": 4, "mode": "bicubic"}]:
    t = x.clone().requires_grad_()
    y = F.interpolate(t, **kw)
    (y * torch.arange(float(y.numel())).view(y.shape)).sum().backward()
    print(kw, y.detach(), t.grad)
print(F.interpolate(torch.tensor([[[1.0, 3.0]]]), scale_factor=2, mode="linear", align_corners=False))
c = torch.arange(8.0).view(1, 4, 1, 2)
print(F.pixel_shuffle(c, 2), F.pixel_unshuffle(F.pixel_shuffle(c, 2), 2).equal(c))
i = torch.arange(9.0).view(1, 1, 3, 3).requires_grad_()
u = F.unfold(i, 2)
print(u, u.shape)
u.pow(2).sum().backward()
print(i.grad)
print(F.fold(u.detach(), (3, 3), 2), F.unfold(i, (2, 1), stride=2, padding=1).shape)
w = torch.ones(1, 4)
print((w @ u).view(1, 1, 2, 2).detach(), F.conv2d(i, torch.ones(1, 1, 2, 2)).detach())
try:
    F.interpolate(x)
except ValueError as e:
    print(type(e).__name__)
