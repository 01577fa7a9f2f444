"""Long method chains as users write them."""

import torch

x = torch.arange(12, dtype=torch.float32).reshape(3, 4).requires_grad_()
y = x.mul(2).add(1).sub(0.5).div(3).pow(2).sqrt().exp().log().sum(1, keepdim=True).squeeze().mean()
print(y)
y.backward()
print(x.grad)
z = x.detach().clone().add_(1).mul_(2).sub_(x.detach()).clamp(0, 10).neg_().abs_().t().contiguous().view(-1).flip(0)[:5].tolist()
print(z)
print(x.detach().sum(dim=0).div(3).round().long().tolist(), x.detach().float().double().half().float().max().item())
w = (x.view(-1, 2).unsqueeze(0).transpose(1, 2).permute(2, 0, 1).reshape(2, -1) @ torch.ones(6, 1)).flatten()
print(w, w.grad_fn is not None)
