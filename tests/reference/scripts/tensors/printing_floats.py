"""How floats print: width, precision, scientific, inf and nan."""

import torch

cases = [
    [1.0, 2.0], [1.5, 2.25], [0.1, 100.0], [1e-5, 1.0], [1e5, 1.0], [1e9, 1.0], [1e8, 5.0],
    [0.00001], [1e-8, 1e-9], [1234.5678, 0.001], [float("inf"), 1.0], [float("nan"), 1.5],
    [float("-inf"), 2.0], [-0.0, 0.0], [1e20], [3.0, -4.0], [999.9999], [0.99999], [1e-4, 1.0],
    [12345.678, 1.0], [float("nan")], [float("inf"), float("-inf")], [1000.0, 0.5], [1e3, 1e-1, 1e4],
]
for c in cases:
    print(torch.tensor(c))
    print(torch.tensor(c, dtype=torch.float64))
for v in (0.1, 1 / 3, 1e-10, 1e10, 123456.789, float("nan"), -7.0):
    print(torch.tensor(v), torch.tensor(v, dtype=torch.float64))
