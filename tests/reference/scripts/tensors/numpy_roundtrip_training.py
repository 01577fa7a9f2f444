"""Data from NumPy, training, results back to NumPy."""

import numpy as np
import torch
from torch import nn

rng = np.random.RandomState(0)
xs = rng.uniform(-1, 1, size=(20, 1)).astype(np.float32)
ys = (2 * xs + 1).astype(np.float32)
X, Y = torch.from_numpy(xs), torch.from_numpy(ys)
print(X.dtype, X.shape, torch.from_numpy(rng.rand(2)).dtype)
torch.manual_seed(0)
model = nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(30):
    opt.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    opt.step()
pred = model(X).detach().numpy()
print(type(pred).__name__, pred.dtype, pred.shape, bool(np.abs(pred - ys).max() < 0.2))
print(np.round(model.weight.detach().numpy(), 3), model.bias.item())
losses = np.array([loss.item()])
print(losses.dtype, float(losses[0]) == loss.item(), torch.tensor(losses).dtype, torch.as_tensor(pred[:2, 0]), np.argmax(X.numpy()) == X.argmax().item())
xs[0] = 100
print(X[0], torch.tensor(xs)[0])
