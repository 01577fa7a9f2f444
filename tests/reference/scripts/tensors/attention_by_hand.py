"""Scaled dot-product attention with a causal mask."""

import math

import torch
import torch.nn.functional as F

torch.manual_seed(1)
q, k, v = (torch.randn(2, 4, 3, requires_grad=True) for _ in range(3))
scores = q @ k.transpose(-2, -1) / math.sqrt(3)
mask = torch.triu(torch.ones(4, 4, dtype=torch.bool), diagonal=1)
weights = scores.masked_fill(mask, float("-inf")).softmax(dim=-1)
out = weights @ v
print(weights[0], out.shape)
out.pow(2).sum().backward()
print(q.grad[0, 1], k.grad.abs().sum(), v.grad[1, -1])
print(torch.allclose(out, F.scaled_dot_product_attention(q, k, v, is_causal=True), atol=1e-6))
