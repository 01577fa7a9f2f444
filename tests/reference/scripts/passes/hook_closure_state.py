"""Hooks that keep running statistics over a training loop."""

import torch


class GradientMeter:
    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self.largest = 0.0

    def __call__(self, grad):
        self.count += 1
        norm = grad.norm().item()
        self.mean += (norm - self.mean) / self.count
        self.largest = max(self.largest, grad.abs().max().item())


w = torch.tensor([[0.5, -0.5], [1.0, 0.0]], requires_grad=True)
meter = GradientMeter()
w.register_hook(meter)
x = torch.tensor([[1.0, 2.0], [0.0, 1.0]])
for step in range(5):
    loss = (x @ w - torch.eye(2)).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.2 * w.grad
        w.grad.zero_()
    print(step, round(loss.item(), 4), round(meter.mean, 4))
print(meter.count, round(meter.largest, 4))
