"""save_on_cpu changes nothing of the result."""

import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor([1.0, -1.0]))

    def forward(self, x):
        with torch.autograd.graph.save_on_cpu(pin_memory=False):
            y = self.w * x
        return (y * y).sum()


m = M()
x = torch.tensor([2.0, 3.0], requires_grad=True)
out = m(x)
out.backward()
print(out, x.grad, m.w.grad)

with torch.autograd.graph.disable_saved_tensors_hooks("hooks are off"):
    try:
        with torch.autograd.graph.save_on_cpu():
            pass
    except RuntimeError as e:
        print(e)
with torch.autograd.graph.save_on_cpu():
    y = x.exp()
y.sum().backward()
print(torch.allclose(x.grad, y + 2 * x * m.w**2))
