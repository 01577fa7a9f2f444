"""Running means, replay buffers and ring buffers kept in preallocated tensors."""
import torch


class Ring:
    def __init__(self, size, dim):
        self.data = torch.zeros(size, dim)
        self.at = 0
        self.full = False

    def push(self, row):
        self.data[self.at] = row
        self.at = (self.at + 1) % len(self.data)
        self.full |= self.at == 0

    def view(self):
        return self.data.roll(-self.at, 0) if self.full else self.data[: self.at]


ring = Ring(3, 2)
for k in range(5):
    ring.push(torch.tensor([k, k * 10.0]))
    print(ring.view().tolist())
mean, m2, n = torch.zeros(2), torch.zeros(2), 0
for x in ring.view():
    n += 1
    delta = x - mean
    mean += delta / n
    m2 += delta * (x - mean)
print(mean, m2 / (n - 1), ring.data.mean(0), ring.data.var(0))
total = 0
losses = []
w = torch.tensor(1.0, requires_grad=True)
for x in ring.view():
    loss = (w * x.sum() - 1) ** 2
    total += loss.item()
    losses.append(loss.detach())
    loss.backward()
print(total, torch.stack(losses).sum(), w.grad)
log = torch.full((3,), float("nan"))
log[0] = w.grad
log[1:] = torch.tensor(losses[:2])
print(log, log._version, log.requires_grad)
