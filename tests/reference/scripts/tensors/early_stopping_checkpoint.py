"""Early stopping with the best state kept by deepcopy, and restored."""
import copy
import torch
from torch import nn

torch.manual_seed(4)
net = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.linspace(-1, 1, 20).unsqueeze(1)
y = x ** 2
opt = torch.optim.Adam(net.parameters(), lr=0.05)
best, best_state, patience = float("inf"), None, 0
history = []
for epoch in range(30):
    net.train()
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x[::2]), y[::2])
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(net(x[1::2]), y[1::2]).item()
    history.append(val)
    if val < best - 1e-4:
        best, best_state, patience = val, copy.deepcopy(net.state_dict()), 0
    else:
        patience += 1
    if patience > 5:
        break
print(epoch, f"{best:.4f}", len(history), [f"{h:.3f}" for h in history[::6]])
alias = net.state_dict()
before = net[0].weight.clone()
opt.step()
print(torch.equal(alias["0.weight"], net[0].weight), torch.equal(before, net[0].weight), torch.equal(best_state["0.weight"], net[0].weight))
print(net.load_state_dict(best_state))
with torch.no_grad():
    print(f"{nn.functional.mse_loss(net(x[1::2]), y[1::2]).item() - best:.6f}")
print(list(best_state), [v.requires_grad for v in best_state.values()], best_state["0.weight"].dtype)
clones = {k: v.clone() for k, v in net.state_dict().items()}
for p in net.parameters():
    p.data.zero_()
print(net[2].bias, clones["2.bias"].shape, net(torch.zeros(1, 1)))
net.load_state_dict(clones)
half = {k: v.half() for k, v in clones.items()}
net.load_state_dict(half)
print(net[0].weight.dtype, torch.allclose(net[0].weight, clones["0.weight"], atol=1e-3))
ema = copy.deepcopy(net)
for p in ema.parameters():
    p.requires_grad_(False)
with torch.no_grad():
    for e, p in zip(ema.parameters(), net.parameters()):
        e.lerp_(p + 1, 0.5)
print((ema[0].bias - net[0].bias), ema[0].bias.requires_grad)
