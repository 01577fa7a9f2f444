"""Batch, heads, time: the reshapes and transposes of transformer code with gradients."""
import torch

B, T, H, D = 2, 3, 2, 2
x = torch.arange(float(B * T * H * D)).div(16).view(B, T, H * D).requires_grad_()
q = x.view(B, T, H, D).transpose(1, 2)
k = x.reshape(B, T, H, D).permute(0, 2, 3, 1)
print(q.shape, q.stride(), k.shape, k.stride())
att = (q @ k / D**0.5).softmax(-1)
y = (att @ q).transpose(1, 2).contiguous().view(B, T, H * D)
print(y.shape, y.grad_fn.name(), att.shape)
y.sum().backward()
print(x.grad.shape, x.grad[0, 0])
qkv = torch.cat([x, x, x], -1)
a, b, c = qkv.chunk(3, dim=-1)
print(a.shape, a.is_contiguous(), a.grad_fn.name(), torch.equal(a, c))
a, b, c = qkv.view(B, T, 3, -1).unbind(2)
print(a.shape, a.stride())
a, b, c = qkv.split(H * D, dim=2)
print(b.storage_offset())
pos = torch.arange(T)
rel = pos[None, :] - pos[:, None]
print(rel, rel.clamp(-1, 1) + 1)
rot = torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)
print(rot[0, 0], rot.shape)
m = torch.full((T, T), float("-inf")).triu(1)
print(m, (torch.zeros(T, T) + m).softmax(-1))
try:
    (att @ q).transpose(1, 2).view(B, T, H * D)
except RuntimeError as e:
    print(type(e).__name__)
