"""A small network trained by hand and by optimisers: losses, parameters, grads."""

import torch
import torch.nn.functional as F

X = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
Y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
W1 = torch.tensor([[0.5, -0.4, 0.3], [-0.2, 0.6, 0.1]], requires_grad=True)
b1 = torch.zeros(3, requires_grad=True)
W2 = torch.tensor([[0.7], [-0.5], [0.2]], requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
params = [W1, b1, W2, b2]
for step in range(30):
    h = torch.tanh(X @ W1 + b1)
    p = torch.sigmoid(h @ W2 + b2)
    loss = F.binary_cross_entropy(p, Y)
    for q in params:
        q.grad = None
    loss.backward()
    with torch.no_grad():
        for q in params:
            q -= 0.5 * q.grad
    if step % 10 == 0:
        print(step, loss, [round(q.grad.norm().item(), 4) for q in params])
print(W1, b1, W2, b2, p)
for make in [
    lambda ps: torch.optim.SGD(ps, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
    lambda ps: torch.optim.Adam(ps, lr=0.05),
    lambda ps: torch.optim.AdamW(ps, lr=0.05),
]:
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    with torch.no_grad():
        for k, q in enumerate(net.parameters()):
            q.copy_(torch.linspace(-0.5, 0.5, q.numel()).view(q.shape) + 0.1 * k)
    opt = make(net.parameters())
    for step in range(10):
        opt.zero_grad()
        loss = F.mse_loss(net(X), Y)
        loss.backward()
        opt.step()
    print(type(opt).__name__, loss, net[0].weight.grad, net[2].bias)
