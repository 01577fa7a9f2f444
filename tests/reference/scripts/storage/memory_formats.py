"""channels_last and contiguity."""

import torch

x = torch.arange(24.0).view(1, 2, 3, 4)
c = x.contiguous(memory_format=torch.channels_last)
print(
    c.stride(),
    c.is_contiguous(),
    c.is_contiguous(memory_format=torch.channels_last),
    x.is_contiguous(memory_format=torch.channels_last),
)
print(torch.equal(x, c), c.shape, c.data_ptr() == x.data_ptr())
print(
    c.clone().stride(),
    c.clone(memory_format=torch.contiguous_format).stride(),
    (c + 1).stride(),
    (x + c).stride(),
    c.relu().stride(),
    c.sum(1).stride(),
)
print(
    torch.empty_like(c).stride(),
    torch.zeros_like(c, memory_format=torch.contiguous_format).stride(),
    torch.ones_like(c, memory_format=torch.preserve_format).stride(),
)
print(
    x.to(memory_format=torch.channels_last).stride(),
    c.to(torch.float64).stride(),
    c.double().stride(),
    c.permute(0, 2, 3, 1).is_contiguous(),
    c.flatten().shape,
)
try:
    c.view(-1)
except RuntimeError:
    print("RuntimeError")
print(
    c.reshape(-1)[:5],
    c.storage_offset(),
)
e = torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)
print(e.stride(), e.numel(), torch.channels_last, torch.contiguous_format, torch.preserve_format)
try:
    torch.ones(2, 3).contiguous(memory_format=torch.channels_last)
except RuntimeError:
    print("RuntimeError")
y = x.clone().requires_grad_()
z = y.contiguous(memory_format=torch.channels_last)
z.pow(2).sum().backward()
print(y.grad.stride(), z.grad_fn)
m = torch.arange(6.0).view(2, 3)
print(
    m.t().clone().stride(),
    (m.t() * 2).stride(),
    m.t().contiguous().stride(),
    torch.zeros_like(m.t()).stride(),
    m.t().double().stride(),
    m[:, ::2].clone().stride(),
    m[:, ::2].exp().stride(),
    m.expand(2, 2, 3).clone().stride(),
)
print(
    torch.ones(5, 1)[:, 0].is_contiguous(),
    torch.ones(1, 5)[:, :3].is_contiguous(),
    torch.ones(2, 5)[:, :3].is_contiguous(),
    torch.ones(0, 3).t().is_contiguous(),
    torch.ones(1, 3).t().is_contiguous(),
)
