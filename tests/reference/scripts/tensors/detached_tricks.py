"""Straight-through estimators, stop-gradients, reparametrisation, target networks."""
import torch

x = torch.tensor([0.3, 0.7, -1.2], requires_grad=True)
hard = (x > 0.5).float()
ste = hard + x - x.detach()
print(hard, ste, ste.requires_grad, hard.requires_grad)
(ste * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.grad)
x.grad = None
r = x + (x.round() - x).detach()
print(r)
r.sum().backward()
print(x.grad)
x.grad = None
x.round().sum().backward()
print(x.grad)
x.grad = None
y = x * x.detach()
print(y)
y.sum().backward()
print(x.grad)
x.grad = None
y = x.detach().requires_grad_()
loss = (y ** 2).sum()
loss.backward()
print(x.grad, y.grad, y.data_ptr() == x.data_ptr())
h = x * 2
leaf = h.detach().requires_grad_()
out = leaf.exp().sum()
out.backward()
h.backward(leaf.grad)
print(x.grad, leaf.grad, torch.allclose(x.grad, 2 * torch.exp(2 * x)))
mu = torch.tensor([0.0, 1.0], requires_grad=True)
log_sigma = torch.tensor([0.0, -1.0], requires_grad=True)
torch.manual_seed(0)
eps = torch.randn(2)
s = mu + log_sigma.exp() * eps
(s ** 2).sum().backward()
print(mu.grad, log_sigma.grad, torch.allclose(mu.grad, 2 * s.detach()))
m = torch.tensor([1.0, 2.0], requires_grad=True)
state = torch.zeros(2)
for t in range(4):
    state = torch.tanh(state.detach() + m) if t % 2 == 0 else torch.tanh(state + m)
    print(t, state)
state.sum().backward()
print(m.grad)
lst = []
for t in range(3):
    l = (m * t).sum()
    lst.append(l.detach())
print(torch.stack(lst), torch.stack(lst).requires_grad, [v.item() for v in lst], sum(lst), type(sum(lst)).__name__)
print(torch.tensor([l.item() for l in lst]), torch.tensor(lst), torch.tensor(lst).dtype)
