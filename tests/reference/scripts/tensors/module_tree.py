"""Module: names, children, apply, train and eval, repr, requires_grad_."""
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)
        self.act = nn.ReLU()
    def forward(self, x):
        return self.act(self.lin(x)) + x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(2), Block(2)])
        self.extra = nn.Sequential(nn.Dropout(0.5), nn.LayerNorm(2))
        self.head = nn.Sequential(nn.Linear(2, 3, bias=False), nn.Tanh(), nn.Linear(3, 1))
        self.scale = nn.Parameter(torch.tensor(2.0))
    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.head(x) * self.scale
net = Net()
print(net)
print([n for n, _ in net.named_parameters()])
print([n for n, _ in net.named_modules()])
print([n for n, _ in net.named_children()], len(list(net.modules())), len(list(net.children())))
print(sum(p.numel() for p in net.parameters()), sum(p.numel() for p in net.parameters() if p.requires_grad))
print({k: tuple(v.shape) for k, v in net.state_dict().items()})
net.eval()
print(net.training, net.blocks[0].training, net.extra[0].training)
net.train()
print(net.training, net.extra[0].training, net.train(False) is net)
net.head.requires_grad_(False)
print([n for n, p in net.named_parameters() if not p.requires_grad])
def init(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.5)
        if m.bias is not None:
            nn.init.zeros_(m.bias)
print(net.apply(init) is net)
y = net(torch.tensor([[1.0, 2.0]]))
print(y)
y.sum().backward()
for n, p in net.named_parameters():
    print(n, None if p.grad is None else p.grad.round(decimals=4))
net.zero_grad()
print(all(p.grad is None for p in net.parameters()))
print(net.get_submodule("blocks.0.lin"), net.get_parameter("scale"), list(net.named_parameters(prefix="net", recurse=False)))
print(net.double().scale.dtype, net.half().scale.dtype, net.float().to(torch.float64).scale, net.to(dtype=torch.float32).scale.dtype)
print(nn.Linear(3, 2, bias=False), nn.Linear(1, 1).extra_repr(), nn.Dropout(), nn.Embedding(3, 2), nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm1d(4), nn.Flatten(), nn.Softmax(dim=1), nn.LeakyReLU(0.1), nn.GELU(), nn.Identity(), nn.MSELoss(), nn.CrossEntropyLoss())
