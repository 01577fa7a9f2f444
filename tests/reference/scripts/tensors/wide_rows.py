"""Line breaks at 80 columns, with suffixes."""
import torch
for n in (7, 8, 9, 10, 11, 12, 20):
    print(torch.arange(float(n)))
    print(torch.arange(n) * 1000)
    print(torch.arange(float(n), dtype=torch.float64))
    print(torch.arange(float(n), requires_grad=True) * 0.1)
    print(torch.arange(float(n), dtype=torch.float64, requires_grad=True) * 0.1)
    print(torch.arange(n) > 3)
    print(torch.arange(float(n)).to(torch.complex64))
    print(torch.arange(2.0 * n).view(2, n) / 3)
