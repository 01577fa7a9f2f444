"""Sums of losses, repeated passes, scaling, and accumulation over micro-batches."""
import torch
from torch import nn

model = nn.Linear(3, 1)
with torch.no_grad():
    model.weight.copy_(torch.tensor([[0.1, -0.2, 0.3]]))
    model.bias.fill_(0.05)
X = torch.arange(12.0).view(4, 3) / 10
Y = torch.tensor([[1.0], [0.0], [2.0], [1.0]])
crit = nn.MSELoss()
crit(model(X), Y).backward()
whole = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
for xb, yb in zip(X.split(1), Y.split(1)):
    (crit(model(xb), yb) / 4).backward()
print([torch.allclose(p.grad, w) for p, w in zip(model.parameters(), whole)], whole)
model.zero_grad()
losses = [crit(model(x), y) for x, y in zip(X, Y)]
torch.stack(losses).mean().backward()
print(model.bias.grad)
model.zero_grad()
sum(losses[1:], start=crit(model(X[0]), Y[0]))
total = torch.zeros(())
for x, y in zip(X, Y):
    total = total + crit(model(x), y)
(total / len(X)).backward()
print(model.bias.grad, total)
model.zero_grad()
out = model(X)
l1, l2 = (out - Y).abs().mean(), (out ** 2).mean()
l1.backward(retain_graph=True)
g1 = model.weight.grad.clone()
l2.backward()
print(model.weight.grad - g1)
model.zero_grad()
out = model(X)
torch.autograd.backward([(out - Y).abs().mean(), (out ** 2).mean()], [torch.tensor(0.5), torch.tensor(2.0)])
print(model.weight.grad)
scaler = 1024.0
model.zero_grad()
(crit(model(X), Y) * scaler).backward()
for p in model.parameters():
    p.grad.div_(scaler)
print([torch.allclose(p.grad, w) for p, w in zip(model.parameters(), whole)])
model.zero_grad(set_to_none=False)
print(model.weight.grad, model.weight.grad.is_contiguous())
loss = crit(model(X), Y)
running = 0.0
for _ in range(2):
    running += loss.item()
print(round(running, 5), loss.detach().requires_grad)
hist = []
for k in range(2):
    hist.append(crit(model(X), Y * k))
print(torch.stack(hist), torch.stack(hist).grad_fn)
log = torch.tensor([h.detach() for h in hist])
print(log, log.requires_grad)
