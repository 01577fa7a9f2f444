"""Images in channels_last: conv-like ops, views, writes."""

import torch
import torch.nn.functional as F

x = (
    torch.arange(32.0)
    .view(2, 2, 2, 4)
    .contiguous(memory_format=torch.channels_last)
    .requires_grad_()
)
print(x.is_leaf, x.stride(), x.is_contiguous(), x.is_contiguous(memory_format=torch.channels_last))
y = x * 2
print(y.stride(), y.is_contiguous(memory_format=torch.channels_last))
y[:, 0] = 0
print(y.sum(), y.stride())
y.sum().backward()
print(x.grad.stride(), x.grad.sum(), x.grad.is_contiguous(memory_format=torch.channels_last))
n = x.detach().permute(0, 2, 3, 1)
print(n.is_contiguous(), n.shape, n.stride(), n.reshape(-1).data_ptr() == x.data_ptr())
print(
    x[0].stride(),
    x[:, 1].stride(),
    x[..., 0].stride(),
    x.flatten(1).shape,
    x.reshape(2, -1).stride(),
    x.mean((2, 3)),
    x.transpose(1, 3).is_contiguous(),
)
c = x.detach().clone()
print(
    c.stride(),
    c.contiguous().stride(),
    c.to(memory_format=torch.contiguous_format).stride(),
    torch.empty_like(c).stride(),
    c.half().stride(),
    c.add_(1).stride(),
    c.zero_().stride(),
)
print(
    torch.zeros(1, 3, 2, 2).to(memory_format=torch.channels_last).stride(),
    torch.ones(2, 3, 4, 5, 6).contiguous(memory_format=torch.channels_last_3d).stride(),
)
for bad in (
    lambda: torch.ones(2, 3, 4).to(memory_format=torch.channels_last),
    lambda: x.detach().view(-1),
    lambda: torch.empty(2, memory_format=torch.channels_last),
):
    try:
        print(bad().shape)
    except RuntimeError:
        print("RuntimeError")
k = torch.ones(1, 2, 1, 1)
print(F.conv2d(x, k).shape, torch.equal(F.conv2d(x, k), F.conv2d(x.contiguous(), k)))
