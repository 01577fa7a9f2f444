"""An LSTM step written with chunk, and its gradients."""

import torch

torch.set_default_dtype(torch.float64)
n, m = 2, 3
W = torch.linspace(-1, 1, 4 * m * (n + m)).reshape(4 * m, n + m).requires_grad_()
b = torch.zeros(4 * m, requires_grad=True)


def step(x, state):
    h, c = state
    i, f, g, o = (torch.cat([x, h], dim=-1) @ W.t() + b).chunk(4, dim=-1)
    c = torch.sigmoid(f + 1) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


state = (torch.zeros(1, m), torch.zeros(1, m))
for t in range(3):
    state = step(torch.tensor([[float(t), 1.0]]), state)
print(state[0])
gW, gb = torch.autograd.grad(state[0].sum(), (W, b))
print(gW.shape, gW.abs().sum(), gb)
print(
    torch.autograd.gradcheck(
        lambda x: step(x, state)[0], torch.tensor([[0.5, -0.5]], requires_grad=True)
    )
)
