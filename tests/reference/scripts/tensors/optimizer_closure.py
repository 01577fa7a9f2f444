"""step(closure) evaluates the closure with gradients on."""

import torch

w = torch.tensor([2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
calls = []


def closure():
    opt.zero_grad()
    loss = (w**2).sum()
    loss.backward()
    calls.append(torch.is_grad_enabled())
    return loss


for _ in range(3):
    loss = opt.step(closure)
    print(loss, w.data)
print(calls, opt.step())
with torch.no_grad():
    print(opt.step(closure), calls[-1])
