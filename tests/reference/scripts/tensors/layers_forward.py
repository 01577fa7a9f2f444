"""What many layers give for a fixed input."""

import torch
from torch import nn

x = torch.tensor([[-2.0, -1.5, -0.3, 0.2], [0.1, 0.6, 1.0, 2.5]])
for layer in (nn.ReLU(), nn.LeakyReLU(0.1), nn.ELU(), nn.GELU(), nn.GELU(approximate="tanh"), nn.SiLU(), nn.Softplus(), nn.Sigmoid(), nn.Tanh(), nn.Softmax(dim=1),
              nn.LogSoftmax(dim=0), nn.Hardtanh(), nn.ReLU6(), nn.SELU(), nn.CELU(), nn.Softsign(), nn.Tanhshrink(), nn.LogSigmoid(), nn.Hardswish(), nn.Hardsigmoid(),
              nn.Mish(), nn.Softshrink(), nn.Hardshrink(), nn.Threshold(0.5, -1), nn.GLU(), nn.PReLU(), nn.LayerNorm(4), nn.Identity(), nn.Flatten(), nn.Unflatten(1, (2, 2)),
              nn.Softmin(1), nn.Dropout(0.0), nn.GroupNorm(1, 4), nn.RMSNorm(4)):
    y = x.clone().requires_grad_()
    out = layer(y)
    (out * torch.arange(out.numel(), dtype=torch.float32).view(out.shape)).sum().backward()
    print(layer, out.detach(), y.grad)
