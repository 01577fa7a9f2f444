"""Building outputs piece by piece in a preallocated tensor."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
out = torch.zeros(3)
for i in range(3):
    out[i] = (w * i).sum() ** 2
loss = out.sum()
loss.backward()
print(out, w.grad)

w.grad = None
states = [torch.zeros(2)]
for t in range(4):
    states.append(torch.tanh(states[-1] + w))
stacked = torch.stack(states[1:])
stacked[-1].sum().backward()
print(stacked.shape, w.grad)

w.grad = None
total = 0
for k in range(4):
    total = total + (w**k).sum()
print(total, type(total).__name__)
total.backward()
print(w.grad)

w.grad = None
acc = torch.zeros(())
for k in range(3):
    acc += w.sum() * k
acc.backward()
print(w.grad, acc)
