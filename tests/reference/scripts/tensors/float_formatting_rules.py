"""Widths and notations of printed floats."""
import torch
for v in ([1.0, 10.0, 100.0], [1.1, 10.0], [0.001, 1.0], [0.0009, 1.0], [1e-4], [9e-5], [1e4, 1.5], [1e5, 1.5], [99999.0, 1.5], [1e-4, 0.1], [-1.0, 2.5, -100.25], [1e7], [1e8], [1e9], [12345678.0], [0.1 + 0.2], [1 / 3, 2 / 3, 100 / 3], [1e-10, 1e10], [3.0, float("nan")], [3.5, float("inf")], [float("inf"), float("nan")], [0.0, 0.0], [0.0, 0.5], [0.0, 1e-6], [1000.0, 0.5], [1000.5, 0.1], [1001.0, 1.0], [1e3, 1e-3], [65504.0, 0.25]):
    for d in (torch.float32, torch.float64, torch.float16):
        t = torch.tensor(v, dtype=d)
        print(t, t.unsqueeze(1)[0], t.requires_grad_() * 1)
