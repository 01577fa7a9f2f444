"""Scaled dot-product attention written out, with masks, heads, and gradients."""
import math

import torch
import torch.nn.functional as F

torch.manual_seed(0)
q = torch.arange(12.0).view(1, 3, 4).div(10).requires_grad_()
k = torch.arange(12.0).view(1, 3, 4).flip(1).div(7).requires_grad_()
v = torch.eye(3, 4)[None].requires_grad_()


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    p = scores.softmax(dim=-1)
    return p @ v, p


out, p = attention(q, k, v)
print(out.shape, p, p.sum(-1))
causal = torch.tril(torch.ones(3, 3, dtype=torch.bool))
out, p = attention(q, k, v, causal)
print(p)
out.pow(2).sum().backward()
print(q.grad, k.grad, v.grad)
g = q.grad.clone()
q.grad = None
y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
y.pow(2).sum().backward()
print(torch.allclose(y, out), torch.allclose(q.grad, g, atol=1e-5))
y = F.scaled_dot_product_attention(q, k, v, attn_mask=causal)
print(torch.allclose(y, out))
h = torch.arange(24.0).view(2, 3, 4)
heads = h.view(2, 3, 2, 2).transpose(1, 2)
print(heads.shape, heads.stride(), heads.is_contiguous())
back = heads.transpose(1, 2).contiguous().view(2, 3, 4)
print(torch.equal(back, h))
print(torch.einsum("bhqd,bhkd->bhqk", heads, heads).shape)
