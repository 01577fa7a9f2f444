"""How floats are printed: modes, widths, signs, nan and inf."""
import torch

for data in [[1.0, 2.0], [1.5, 2.0], [1e-5, 1.0], [1e5, 1.0], [1e8, 1.0], [1e8], [1e-8], [0.0], [-0.0], [1e10, 1e-10], [123456.0], [1234567.0], [12345678.0], [123456789.0],
             [0.1, 0.22, 0.333], [100000.5], [99999.99], [0.00001], [0.0001], [0.001, 1000.0], [0.001, 1001.0], [float("nan")], [float("inf"), 1.0], [float("-inf"), 1.5], [float("nan"), float("inf"), -float("inf")],
             [float("nan"), 1e-9, 1.0], [-1.0, 1.0], [-1.5, 100.25], [1e20], [3e38], [1e-40], [16777216.0, 0.5], [0.5, -0.5, 1e4], [9.99999], [99999.5, 0.1]]:
    for dtype in (torch.float32, torch.float64):
        print(torch.tensor(data, dtype=dtype))
    print(torch.tensor(data[0]))
for dtype in (torch.float16, torch.bfloat16):
    print(torch.tensor([0.1, 2.0, 65504.0], dtype=dtype), torch.tensor([1e-4, 3.0], dtype=dtype), torch.tensor(0.1, dtype=dtype))
print(torch.tensor([[1.0, -2.0], [1e-3, 4.5]]))
print(torch.tensor([[[1.0], [2.0]], [[3.0], [4.0]]]))
print(torch.tensor([[1e-12, 1.0]], requires_grad=True) * 1)
