"""half and bfloat16: writes through views, gradients, storage sizes."""

import torch

for dt in (torch.float16, torch.bfloat16):
    x = torch.tensor([1.0, 2.5, -3.25, 1000.0], dtype=dt, requires_grad=True)
    y = x * 2
    v = y[1:3]
    v.mul_(3)
    print(y, v.dtype, y.element_size(), y.untyped_storage().nbytes(), v.storage_offset())
    y.sum().backward()
    print(x.grad)
    y = x.detach().clone()
    y[0] = 1.0001
    y[1] += 0.001
    y[y < 0] = 65000.0
    print(y, y.view(torch.int16))
    print(y.copy_(torch.tensor([1e-8, 1e5, 0.1, 3.0])), y.to(torch.float32), y.fill_(0.1).item())
    print(
        y.index_add_(0, torch.tensor([0, 0]), torch.ones(2, dtype=dt)),
        y.scatter_add_(0, torch.tensor([1, 1]), torch.ones(2, dtype=dt)),
        y.cumsum(0),
        y.add_(1, alpha=2),
    )
    w = torch.zeros(2, 2, dtype=dt)
    w.t()[0] = torch.tensor([1.5, 2.5])
    print(w, w.t().contiguous(), w.expand(1, 2, 2).sum(), w.unfold(0, 2, 1).shape)
    try:
        w.index_add_(0, torch.tensor([0]), torch.ones(1, 2))
    except RuntimeError:
        print("RuntimeError")
    try:
        w[[0]] = torch.ones(1, 2)
        print(w)
    except RuntimeError:
        print("RuntimeError")
    w[0] = torch.full((2,), 1 / 3)
    print(w, w.untyped_storage().tolist())
