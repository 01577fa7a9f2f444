"""A ring buffer of tensors, filled in place."""

import torch

buf = torch.zeros(4, 3)
ptr = torch.tensor(0)
for step in range(6):
    row = torch.full((3,), float(step))
    buf[ptr] = row
    ptr = (ptr + 1) % 4
print(buf, ptr, buf._version)
buf = buf.roll(-int(ptr), 0)
print(buf, buf.storage_offset())
buf[:-1] = buf[1:].clone()
buf[-1].fill_(9)
print(buf)
idx = torch.tensor([3, 1, 1])
batch = buf[idx]
batch.mul_(0)
print(buf.sum(), batch._base, batch.shape)
view = buf.narrow(0, 1, 2)
view.copy_(torch.arange(6.0).view(2, 3))
print(buf, view._base is buf)
mask = torch.zeros(4, dtype=torch.bool)
mask[idx] = True
print(mask, buf[mask], buf[~mask].shape)
buf[mask] *= 10
print(buf)
buf[idx, 0] += 1
print(buf[:, 0])
buf.index_add_(0, idx, torch.ones(3, 3))
print(buf)
done = torch.tensor([0, 1, 0, 1], dtype=torch.bool)
returns = torch.zeros(4)
running = torch.tensor(0.0)
for t in reversed(range(4)):
    running = running * (~done[t]) + buf[t, 0]
    returns[t] = running
print(returns)
