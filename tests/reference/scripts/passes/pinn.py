"""A physics-informed network on u'' + u = 0."""
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 5)
        self.b = nn.Linear(5, 1)

    def forward(self, t):
        return self.b(torch.tanh(self.a(t)))


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.cos(torch.arange(p.numel(), dtype=p.dtype)).reshape(p.shape))
t = torch.linspace(0, 3, 7).view(-1, 1).requires_grad_()


def derivative(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


opt = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.5)
for step in range(5):
    opt.zero_grad(set_to_none=True)
    u = net(t)
    ut = derivative(u, t)
    utt = derivative(ut, t)
    loss = (utt + u).pow(2).mean() + (net(torch.zeros(1, 1)) - 1).pow(2).squeeze()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.6f}", t.grad is not None)
print(u.grad_fn, ut.grad_fn, utt.grad_fn)
print(ut.flatten())
print(loss)
x, y = torch.tensor(0.3, requires_grad=True), torch.tensor(0.7, requires_grad=True)
phi = torch.sin(x) * torch.cosh(y)
gx, gy = torch.autograd.grad(phi, (x, y), create_graph=True)
lap = torch.autograd.grad(gx, x)[0] + torch.autograd.grad(gy, y)[0]
print(lap.abs() < 1e-6)
