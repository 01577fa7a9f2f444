"""An RNN cell unrolled over a sequence, and nn.LSTM and nn.GRU seeded."""

import torch
from torch import nn

torch.manual_seed(0)
cell = nn.RNNCell(2, 3)
h = torch.zeros(1, 3)
seq = torch.linspace(-1, 1, 8).view(4, 1, 2)
for x in seq:
    h = cell(x, h)
print(h)
h.sum().backward()
print(cell.weight_ih.grad)
lstm = nn.LSTM(2, 3, num_layers=2)
out, (hn, cn) = lstm(seq)
print(out.shape, hn.shape, cn.shape, out[-1])
out.sum().backward()
print(lstm.weight_hh_l1.grad.shape, f"{lstm.weight_hh_l1.grad.sum():.4f}", [n for n, _ in lstm.named_parameters()])
gru = nn.GRU(2, 3, batch_first=True, bidirectional=True)
out, hn = gru(seq.transpose(0, 1))
print(out.shape, hn.shape, out[0, 0])
print(nn.LSTM(2, 3)(seq.squeeze(1))[0].shape, cell, lstm, gru)
