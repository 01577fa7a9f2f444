"""A classifier on seeded blobs with cross entropy and mini batches."""

import torch
from torch import nn

torch.manual_seed(0)
centers = torch.tensor([[2.0, 0.0], [-2.0, 0.0], [0.0, 3.0]])
labels = torch.randint(0, 3, (60,))
points = centers[labels] + 0.5 * torch.randn(60, 2)
model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(5):
    order = torch.randperm(60)
    total = 0.0
    for batch in order.split(20):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(points[batch]), labels[batch])
        loss.backward()
        opt.step()
        total += loss.item()
    print(epoch, f"{total / 3:.3f}")
with torch.no_grad():
    pred = model(points).argmax(dim=1)
print((pred == labels).float().mean(), torch.bincount(labels))
