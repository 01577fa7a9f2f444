"""A small network learns XOR from a seed."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
X = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 8)
        self.fc2 = nn.Linear(8, 1)
    def forward(self, x):
        return torch.sigmoid(self.fc2(torch.tanh(self.fc1(x))))
net = Net()
print(net)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for epoch in range(60):
    opt.zero_grad()
    out = net(X)
    loss = F.binary_cross_entropy(out, Y)
    loss.backward()
    opt.step()
    if epoch % 20 == 0:
        print(epoch, f"{loss.item():.4f}", f"{net.fc1.weight.grad.norm():.4f}")
print((net(X) > 0.5).int().flatten().tolist(), loss)
with torch.no_grad():
    print(net(X).round().t())
acc = ((net(X) > 0.5).float() == Y).float().mean()
print(f"accuracy {acc:.2f} {acc.item()}", acc)
for name, p in net.named_parameters():
    print(name, tuple(p.shape), p.requires_grad, p.grad.shape)
