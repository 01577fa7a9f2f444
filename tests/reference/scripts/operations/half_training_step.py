"""A training step in bfloat16 and float16, mixed with float32 master weights."""

import torch
import torch.nn.functional as F

for dtype in (torch.bfloat16, torch.float16):
    w32 = torch.tensor([[0.5, -0.25], [0.125, 1.0]], requires_grad=True)
    x = torch.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=dtype)
    y = torch.tensor([[0.5, 1.0], [0.0, -2.0]], dtype=dtype)
    out = F.relu(x @ w32.to(dtype))
    print(out, out.dtype, out.grad_fn)
    loss = F.mse_loss(out, y)
    print(loss)
    loss.backward()
    print(w32.grad, w32.grad.dtype)
    w = w32.detach().to(dtype).requires_grad_()
    z = torch.sigmoid(x @ w).sum()
    z.backward()
    print(z, w.grad)
    w.grad = None
    p = (x @ w).softmax(1)
    p[:, 0].sum().backward()
    print(p, w.grad)
    print(
        w + torch.tensor(1.0),
        (w + torch.ones(2)).dtype,
        (w * 2.0).dtype,
        (w @ x).dtype,
        w.sum(),
        w.mean(),
        w.norm(),
        w.max(),
        w.std(),
        w.float().dtype,
        w.cumsum(0),
        w.exp(),
        (w > 0).sum(),
    )
    for bad in [
        lambda: w @ w32,
        lambda: F.linear(x, w32),
        lambda: torch.mm(w, w32),
        lambda: torch.cat([w, w32]).dtype,
        lambda: torch.where(w > 0, w, w32).dtype,
    ]:
        try:
            print(bad())
        except Exception as error:
            print(type(error).__name__)
    h = torch.tensor([60000.0, 1e-7, 3.14159], dtype=dtype)
    print(h, h * 2, h.sum(), h.float(), h / 3, 1 / h, h.isinf(), torch.finfo(dtype).bits)
