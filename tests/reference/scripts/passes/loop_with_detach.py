"""Truncated backpropagation through time: detach the state between windows."""

import torch

w = torch.tensor(0.5, requires_grad=True)
state = torch.tensor(1.0)
for step in range(6):
    state = torch.tanh(w * state + 0.1)
    if step % 2 == 1:
        state.backward()
        print(step, f"{state.item():.4f}", f"{w.grad.item():.4f}")
        state = state.detach()
        w.grad = None

# without detach the second window reaches into the freed one
state = torch.tensor(1.0)
try:
    for step in range(4):
        state = torch.tanh(w * state + 0.1)
        if step % 2 == 1:
            state.backward()
except RuntimeError as e:
    print(type(e).__name__, "second time" in str(e))
