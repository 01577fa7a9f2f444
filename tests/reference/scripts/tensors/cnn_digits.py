"""A small convolutional net: shapes layer by layer and one step of training."""
import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 3, 3, 1)
        self.conv2 = nn.Conv2d(3, 4, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.fc1 = nn.Linear(36, 8)
        self.fc2 = nn.Linear(8, 4)
    def forward(self, x, verbose=False):
        x = F.relu(self.conv1(x))
        if verbose: print("conv1", x.shape)
        x = F.relu(self.conv2(x))
        if verbose: print("conv2", x.shape)
        x = F.max_pool2d(x, 2)
        if verbose: print("pool", x.shape, x.grad_fn.name())
        x = self.dropout1(x)
        x = torch.flatten(x, 1)
        if verbose: print("flat", x.shape)
        x = F.relu(self.fc1(x))
        return F.log_softmax(self.fc2(x), dim=1)
torch.manual_seed(1)
model = Net()
print(model)
print([(n, tuple(p.shape)) for n, p in model.named_parameters()])
x = torch.randn(2, 1, 10, 10)
y = torch.tensor([1, 3])
model.eval()
out = model(x, verbose=True)
print(out.shape, out.exp().sum(1).round(decimals=3), out.argmax(dim=1, keepdim=True).shape)
print(f"{F.nll_loss(out, y):.4f}")
model.train()
opt = torch.optim.Adadelta(model.parameters(), lr=1.0)
for step in range(3):
    opt.zero_grad()
    model.eval()
    loss = F.nll_loss(model(x), y)
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f}", f"{model.conv1.weight.grad.abs().sum():.4f}", model.conv2.bias.grad.shape)
pred = model(x).argmax(dim=1)
print(pred.eq(y.view_as(pred)).sum().item(), F.nll_loss(model(x), y, reduction="sum").item() < 10)
print(F.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)), F.avg_pool2d(torch.arange(16.0).view(1, 1, 4, 4), 2), F.interpolate(torch.arange(4.0).view(1, 1, 2, 2), scale_factor=2), F.pad(torch.ones(1, 2), (1, 1)), F.unfold(torch.arange(9.0).view(1, 1, 3, 3), 2).shape, F.adaptive_avg_pool2d(torch.ones(1, 1, 4, 4), 1))
bn = nn.BatchNorm2d(1)
z = bn(torch.arange(8.0).view(2, 1, 2, 2))
print(z, bn.running_mean, bn.running_var)
for bad in (lambda: model.conv1(torch.ones(1, 2, 5, 5)), lambda: model.fc1(torch.ones(1, 5)), lambda: F.max_pool2d(torch.ones(1, 1, 1, 1), 2), lambda: nn.Conv2d(3, 4, 3, groups=2)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
