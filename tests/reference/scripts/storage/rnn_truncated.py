"""A small recurrent net unrolled by hand, with truncated backpropagation through time."""
import torch

W = torch.tensor([[0.5, -0.3], [0.2, 0.4]], requires_grad=True)
U = torch.tensor([[1.0], [0.5]], requires_grad=True)
inputs = torch.tensor([[0.1], [0.5], [-0.3], [0.8], [0.2], [-0.6]])


def run(truncate):
    W.grad = U.grad = None
    h = torch.zeros(2)
    losses = []
    for t, x in enumerate(inputs):
        h = torch.tanh(W @ h + U @ x)
        losses.append(h.pow(2).sum())
        if truncate and (t + 1) % 2 == 0:
            torch.stack(losses).sum().backward()
            losses = []
            h = h.detach()
    if losses:
        sum(losses).backward()
    return W.grad.clone(), U.grad.clone(), h.detach()


for truncate in (False, True):
    for t in run(truncate):
        print(t)
hs = torch.zeros(7, 2)
for t, x in enumerate(inputs):
    hs[t + 1] = torch.tanh(W @ hs[t].clone() + U @ x)
W.grad = U.grad = None
hs.pow(2).sum().backward()
print(torch.allclose(W.grad, run(False)[0]))
