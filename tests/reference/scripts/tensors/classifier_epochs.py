"""DataLoader, cross entropy, train and eval, on made-up classes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, Dataset

torch.manual_seed(0)
X = torch.randn(30, 4)
Y = (X[:, 0] > 0).long() + (X[:, 1] > 0.5).long()
data = TensorDataset(X, Y)
print(len(data), data[0], type(data[0]).__name__)
loader = DataLoader(data, batch_size=8, shuffle=False)
print(len(loader), [tuple(b[0].shape) for b in loader])
model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.BatchNorm1d(6), nn.Linear(6, 3))
criterion = nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
sched = torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)
for epoch in range(4):
    model.train()
    total = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total += loss.item() * len(xb)
    sched.step()
    model.eval()
    with torch.no_grad():
        pred = model(X).argmax(1)
        print(epoch, f"{total / len(data):.4f}", (pred == Y).sum().item(), sched.get_last_lr())
print(model[2].running_mean.round(decimals=2), model[2].num_batches_tracked)
print(torch.bincount(Y), pred[:10], pred.dtype)
conf = torch.zeros(3, 3, dtype=torch.int64)
for t, p in zip(Y, pred):
    conf[t, p] += 1
print(conf)
class Squares(Dataset):
    def __len__(self):
        return 5
    def __getitem__(self, k):
        return torch.tensor(float(k)), k * k
for a, b in DataLoader(Squares(), batch_size=2, drop_last=True):
    print(a, b)
torch.manual_seed(5)
print([b[1].tolist() for b in DataLoader(Squares(), batch_size=2, shuffle=True)])
