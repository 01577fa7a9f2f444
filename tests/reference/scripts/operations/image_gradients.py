"""Sobel filters, total variation, Laplacian by slices, blur by padding modes."""

import torch
import torch.nn.functional as F

img = (torch.arange(25.0).view(5, 5) * 1.625 % 7).requires_grad_()
dx = img[:, 1:] - img[:, :-1]
dy = img[1:] - img[:-1]
tv = dx.abs().sum() + dy.abs().sum()
tv.backward()
print(tv, img.grad)
img.grad = None
lap = -4 * img[1:-1, 1:-1] + img[:-2, 1:-1] + img[2:, 1:-1] + img[1:-1, :-2] + img[1:-1, 2:]
k = torch.tensor([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])
print(torch.allclose(lap, F.conv2d(img[None, None], k[None, None])[0, 0]), lap.shape)
sobel = torch.stack(
    [
        torch.tensor([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]]),
        torch.tensor([[-1.0, -2, -1], [0, 0, 0], [1, 2, 1]]),
    ]
).unsqueeze(1)
g = F.conv2d(img.unsqueeze(0).unsqueeze(0), sobel, padding=1)
mag = g.pow(2).sum(1).sqrt()
print(mag, mag.grad_fn.name())
mag.mean().backward()
print(img.grad)
for mode in ["constant", "reflect", "replicate", "circular"]:
    p = F.pad(img.detach()[None, None], (1, 1, 1, 1), mode=mode)
    print(mode, F.avg_pool2d(p, 3, stride=1)[0, 0, 0])
print(
    torch.gradient(img.detach())[0],
    torch.gradient(img.detach(), dim=1)[0][0],
    torch.diff(img.detach(), dim=0)[0],
)
print(
    img.detach().unfold(0, 3, 2).unfold(1, 3, 2).shape,
    F.max_pool2d(img[None], 2, ceil_mode=True).shape,
    img.detach().flip(1)[0],
    img.detach().rot90()[0],
    img.detach().roll((1, 1), (0, 1))[0],
)
