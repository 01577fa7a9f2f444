"""Transfer learning: frozen layers, optimizers that skip them."""
import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4))
head = nn.Linear(4, 2)
for p in body.parameters():
    p.requires_grad = False
model = nn.Sequential(body, head)
print([(n, p.requires_grad) for n, p in model.named_parameters()])
x = torch.ones(2, 3)
feat = body(x)
print(feat.requires_grad, feat.is_leaf, head(feat).requires_grad)
loss = model(x).pow(2).sum()
loss.backward()
print([p.grad is None for p in model.parameters()])
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1)
before = [p.clone() for p in model.parameters()]
opt.step()
print([torch.equal(a, b) for a, b in zip(before, model.parameters())])
body[2].requires_grad_(True)
opt.add_param_group({"params": body[2].parameters(), "lr": 0.01})
opt.zero_grad()
model(x).pow(2).sum().backward()
print([None if p.grad is None else tuple(p.grad.shape) for p in model.parameters()])
opt.step()
print([torch.equal(a, b) for a, b in zip(before, model.parameters())])
opt_all = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.1)
opt_all.zero_grad()
model(x).sum().backward()
opt_all.step()
print([torch.equal(a, b) for a, b in zip(before, model.parameters())])
xin = torch.ones(1, 3, requires_grad=True)
model.requires_grad_(False)
model(xin).sum().backward()
print(xin.grad.shape, all(not p.requires_grad for p in model.parameters()), model(x).requires_grad)
try:
    model(x).sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1)
except ValueError as e:
    print(type(e).__name__)
with torch.no_grad():
    target = nn.Linear(4, 2)
    target.load_state_dict(head.state_dict())
    for a, b in zip(target.parameters(), head.parameters()):
        a.mul_(0.9).add_(b, alpha=0.1)
print(torch.allclose(target.weight, head.weight), target.weight.requires_grad)
