"""Lines that are just full, and just too long, for what is told behind the elements."""

import torch

for size in range(14):
    for scale in (1.0, 10.0, 12345.0, 1e-5):
        for dtype in (torch.float32, torch.float64):
            x = torch.tensor([scale * (i + 0.5) for i in range(size)], dtype=dtype)
            print(x)
            x.requires_grad_()
            print(x)
            print(x * 1)
            print(x.squeeze(0).unsqueeze(0))
