"""Arguments by name, as NumPy users and PyTorch users call them."""

import torch

x = torch.arange(6.0).view(2, 3)
print(torch.sum(x, dim=1, keepdim=True), torch.sum(x, axis=0), x.sum(dim=(0, 1)), x.mean(dim=-1), x.max(dim=1), x.amax(dim=0))
print(torch.cat(tensors=(x, x), dim=0).shape, torch.stack([x, x], dim=-1).shape, x.transpose(dim0=0, dim1=1).shape, torch.squeeze(x[None], dim=0).shape)
print(torch.clamp(x, min=1, max=3), x.clamp(max=2), torch.clip(x, 1, 4), torch.full(size=(2,), fill_value=3.0), torch.add(x, x, alpha=2), torch.mul(input=x, other=2))
print(torch.std(x, dim=1, unbiased=False), x.std(1, correction=0), x.var(dim=0), torch.norm(x, p=2, dim=1), x.norm(p=1), torch.linalg.norm(x))
print(x.argmax(dim=1), torch.argsort(x, dim=1, descending=True), torch.sort(x, descending=True).values, torch.topk(x, k=2, dim=1, largest=False), x.cumsum(dim=1), torch.softmax(x, dim=1))
print(torch.tensor(data=[1, 2], dtype=torch.float64), torch.ones(2, 2, dtype=torch.int64), torch.where(condition=x > 2, input=x, other=-x), torch.repeat_interleave(torch.tensor([1, 2]), 2))
