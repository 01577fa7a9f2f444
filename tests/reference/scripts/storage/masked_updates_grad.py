"""Masked updates of a state in a loop, with gradients through every branch."""

import torch

x = torch.tensor([0.5, 1.5, 2.5, 3.5], dtype=torch.float64, requires_grad=True)
state = torch.zeros(4, dtype=torch.float64)
for step in range(3):
    m = (x.detach() + step) % 2 > 1
    new = state * 0.5 + x ** (step + 1)
    state = torch.where(m, new, state)
    print(step, m.tolist(), state.detach())
state.sum().backward()
print(x.grad)
x.grad = None
state = torch.zeros(4, dtype=torch.float64)
for step in range(3):
    m = (x.detach() + step) % 2 > 1
    state = state.clone()
    state[m] = state[m] * 0.5 + x[m] ** (step + 1)
state.sum().backward()
print(state, x.grad, state.grad_fn)
x.grad = None
state = torch.zeros(4, dtype=torch.float64)
for step in range(3):
    m = (x.detach() + step) % 2 > 1
    state[m] += x[m]
    state[~m] -= 1
state.backward(torch.arange(4.0, dtype=torch.float64))
print(state, x.grad, state._version)
x.grad = None
state = torch.zeros(2, 2, dtype=torch.float64)
state[state == 0] = x
state[0][1] = x[0] * x[1]
state[1, :] *= x[2:]
state.view(-1)[::3] += 1
print(state)
state.sum().backward()
print(x.grad)
x.grad = None
y = x.clone()
y[y > 2] = y[y > 2].log()
y[1:3] = y[[2, 1]]
y[-1] = y[0] + y[:2].sum()
print(y)
y.sum().backward()
print(x.grad)
z = x.detach().clone()
z[z > 1] = torch.tensor([9.0, 8.0, 7.0], dtype=torch.float64)
z[torch.tensor([True, False, True, False])] += 100
z[[0, 0, 0]] += 1
z[z.argsort()[:2]] = -1
print(z)
