"""Convolution, pooling, padding and upsampling on small inputs."""

import torch
from torch import nn

x = torch.arange(16.0).view(1, 1, 4, 4).requires_grad_()
conv = nn.Conv2d(1, 1, 2, bias=False)
with torch.no_grad():
    conv.weight.copy_(torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))
for layer in (conv, nn.MaxPool2d(2), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1), nn.AdaptiveMaxPool2d((2, 1)), nn.ZeroPad2d(1), nn.ReflectionPad2d((1, 0, 0, 1)),
              nn.ReplicationPad2d(1), nn.Upsample(scale_factor=2), nn.ConstantPad2d(1, 9.0), nn.MaxPool2d(3, stride=1, padding=1)):
    out = layer(x)
    (g,) = torch.autograd.grad(out.sum(), x)
    print(layer, out.shape, out.sum().item(), g[0, 0, 1])
s = torch.arange(8.0).view(1, 2, 4)
print(nn.MaxPool1d(2)(s), nn.AvgPool1d(2)(s), nn.AdaptiveAvgPool1d(1)(s), nn.ConstantPad1d((1, 2), 0.5)(s)[0, 0])
torch.manual_seed(0)
print(nn.Conv1d(2, 1, 3)(s), nn.ConvTranspose1d(2, 1, 2, stride=2)(s), nn.ConvTranspose2d(1, 1, 2)(x).shape, nn.Conv2d(1, 2, 3, padding="same")(x).shape, nn.PixelShuffle(2)(torch.ones(1, 4, 1, 1)).shape)
print(nn.Conv2d(2, 4, 3, groups=2, dilation=2).weight.shape, nn.Conv2d(1, 1, (2, 3), stride=(1, 2)))
