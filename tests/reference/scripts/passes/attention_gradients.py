"""Scaled dot-product attention with a causal mask: values and gradients."""

import math
import torch


def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    mask = torch.triu(torch.ones(scores.shape[-2:], dtype=torch.bool), diagonal=1)
    return scores.masked_fill(mask, float("-inf")).softmax(-1) @ v


x = torch.linspace(-1, 1, 12).reshape(1, 3, 4).requires_grad_()
wq = torch.eye(4, requires_grad=True)
out = attention(x @ wq, x, x * 2)
print(out)
out[:, -1].sum().backward()
print(x.grad)
print(wq.grad)
q = torch.zeros(1, 3, 4, requires_grad=True)
attention(q, x.detach(), x.detach()).sum().backward()
print(q.grad.shape, torch.isnan(q.grad).any())
