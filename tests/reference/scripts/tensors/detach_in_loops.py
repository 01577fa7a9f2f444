"""Losses gathered in lists with and without detach, running means, TBPTT."""
import torch
w = torch.tensor(0.5, requires_grad=True)
losses, tracked = [], 0
for k in range(4):
    loss = (w * k - 1) ** 2
    losses.append(loss.item())
    tracked = tracked + loss
    loss_d = loss.detach()
    print(k, loss, loss_d, type(loss.item()).__name__)
print(losses, tracked, tracked.requires_grad, sum(losses) / len(losses), torch.tensor(losses).mean())
tracked.backward()
print(w.grad)
h = torch.zeros(2)
W = torch.eye(2, requires_grad=True)
for t in range(4):
    h = torch.tanh(h @ W + 1)
    if t % 2 == 1:
        h.sum().backward()
        print(t, h, W.grad)
        W.grad = None
        h = h.detach()
        print(h.is_leaf, h.requires_grad)
avg = None
for v in (torch.ones(2), torch.zeros(2), torch.ones(2)):
    avg = v.clone() if avg is None else avg.mul_(0.9).add_(v, alpha=0.1)
print(avg)
memory = []
x = torch.ones(2, requires_grad=True)
for k in range(3):
    y = (x * k)
    memory.append(y)
total = torch.stack(memory).sum()
total.backward()
print(x.grad, torch.stack(memory).requires_grad, torch.stack([m.detach() for m in memory]), total.detach().numpy(), float(total), int(total))
a = torch.tensor([1.0, 2.0], requires_grad=True)
print(a.detach() is a, a.detach().data_ptr() == a.data_ptr(), a.detach().requires_grad_().is_leaf, a.detach().add_(1), a)
b = a * 2
b.detach_()
print(b, b.requires_grad, b.is_leaf, b.grad_fn)
c = (a * 3).detach().numpy()
c[0] = 100
print(c, a)
print(torch.no_grad()(lambda: (a * 2).requires_grad)(), a.detach().clone().requires_grad_(True), a.clone().detach().requires_grad)
