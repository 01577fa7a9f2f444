"""Lengths and values of arange with float steps."""

import torch

print(torch.arange(0, 1, 0.1), len(torch.arange(0, 1, 0.1)), torch.arange(0.0, 0.3, 0.1), torch.arange(1, 2, 0.5), torch.arange(5.0))
print(torch.arange(10, 0, -2.5), torch.arange(-1, 1, 0.5, dtype=torch.float64), torch.arange(0, 5, 2, dtype=torch.float32), torch.arange(3, dtype=torch.int32))
print(torch.arange(0, 1, 1 / 3), torch.arange(1e6, 1e6 + 3), torch.arange(2.5, 5), torch.arange(True, 3) if False else "")
print(torch.linspace(0, 1, 3, dtype=torch.float64), torch.linspace(0, 1, 7), torch.linspace(-5, 5, 4), torch.linspace(1, 10, 10), torch.linspace(0, 6.283185307179586, 5))
