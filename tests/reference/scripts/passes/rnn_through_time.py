"""A hand-written recurrent cell, gradients through time, clipped."""

import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.wx = nn.Parameter(torch.linspace(-0.5, 0.5, n_in * n_hidden).reshape(n_hidden, n_in))
        self.wh = nn.Parameter(torch.eye(n_hidden) * 0.9)
        self.b = nn.Parameter(torch.zeros(n_hidden))

    def forward(self, x, h):
        return torch.tanh(x @ self.wx.T + h @ self.wh.T + self.b)


cell = Cell(1, 2)
xs = torch.sin(torch.arange(8.0)).reshape(8, 1, 1)
h = torch.zeros(1, 2, requires_grad=True)
h0 = h
hs = []
for x in xs:
    h = cell(x, h)
    h.retain_grad()
    hs.append(h)
loss = hs[-1].pow(2).sum()
loss.backward()
print([f"{h.grad.norm().item():.4f}" for h in hs])
print(h0.grad, cell.b.grad)
print(torch.nn.utils.clip_grad_norm_(cell.parameters(), 0.1))
print(cell.wh.grad)
