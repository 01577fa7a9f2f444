"""Images as tensors: flips, crops, channel means, gray scale, box blur by unfold and conv."""
import torch
import torch.nn.functional as F

img = torch.arange(48.0).view(3, 4, 4).div(47).requires_grad_()
print(img.mean((1, 2)), img.amax(dim=(-2, -1)), img.flip(-1)[0, 0])
gray = (img * torch.tensor([0.299, 0.587, 0.114]).view(3, 1, 1)).sum(0)
print(gray)
crop = img[:, 1:3, 1:3]
print(crop.shape, crop.stride(), crop.is_contiguous(), crop.storage_offset())
mean, std = img.mean((1, 2), keepdim=True), img.std((1, 2), keepdim=True)
norm = (img - mean) / std
print(norm.mean().abs() < 1e-5, torch.allclose(norm.std((1, 2)), torch.ones(3)))
blur1 = F.conv2d(gray[None, None], torch.ones(1, 1, 3, 3) / 9, padding=1)[0, 0]
blur2 = F.pad(gray, (1, 1, 1, 1)).unfold(0, 3, 1).unfold(1, 3, 1).mean((-2, -1))
blur3 = F.avg_pool2d(gray[None, None], 3, stride=1, padding=1)[0, 0]
print(blur1, torch.allclose(blur1, blur2, atol=1e-6), torch.allclose(blur1, blur3, atol=1e-6))
blur1[1, 1].backward(retain_graph=True)
print(img.grad[0])
grid = gray.detach().view(2, 2, 2, 2).permute(0, 2, 1, 3).reshape(4, 2, 2)
print(grid[0], F.max_pool2d(gray[None], 2).shape, F.interpolate(gray[None, None], scale_factor=0.5)[0, 0])
tv = (gray[1:] - gray[:-1]).abs().sum() + (gray[:, 1:] - gray[:, :-1]).abs().sum()
print(tv, torch.autograd.grad(tv, img)[0][2, 0])
u8 = (img.detach() * 255).round().to(torch.uint8)
print(u8[0, 0], u8.float().div(255).sub(img.detach()).abs().max() < 0.01, u8.permute(1, 2, 0).shape)
