"""A tiny autoencoder with tied sizes, seeded."""

import torch
from torch import nn

torch.manual_seed(7)
data = torch.rand(32, 6)
enc = nn.Sequential(nn.Linear(6, 3), nn.ReLU(), nn.Linear(3, 2))
dec = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 6), nn.Sigmoid())
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=1e-2)
for epoch in range(20):
    recon = dec(enc(data))
    loss = nn.functional.mse_loss(recon, data)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 5 == 0:
        print(epoch, f"{loss.item():.4f}")
print(sum(p.numel() for m in (enc, dec) for p in m.parameters()), enc(data).shape, recon.requires_grad)
