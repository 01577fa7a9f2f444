"""Linear regression with the update written by hand, in every common spelling."""
import torch

X = torch.tensor([[1.0, 2.0], [2.0, 0.5], [3.0, -1.0], [0.0, 1.0]])
t = torch.tensor([4.0, 3.5, 2.0, 2.0])


def train(update):
    w = torch.zeros(2, requires_grad=True)
    b = torch.zeros((), requires_grad=True)
    for _ in range(20):
        loss = ((X @ w + b - t) ** 2).mean()
        loss.backward()
        w, b = update(w, b)
    print(w.data, round(b.item(), 4), w.is_leaf, w._version)


def with_no_grad(w, b):
    with torch.no_grad():
        for p in (w, b):
            p -= 0.05 * p.grad
            p.grad.zero_()
    return w, b


def with_data(w, b):
    for p in (w, b):
        p.data -= 0.05 * p.grad.data
        p.grad = None
    return w, b


def with_add(w, b):
    with torch.no_grad():
        for p in (w, b):
            p.add_(p.grad, alpha=-0.05)
            p.grad.detach_().fill_(0)
    return w, b


def with_fresh_leaves(w, b):
    return [(p - 0.05 * p.grad).detach().requires_grad_() for p in (w, b)]


def with_copy(w, b):
    with torch.no_grad():
        for p in (w, b):
            p.copy_(torch.sub(p, p.grad, alpha=0.05))
            p.grad *= 0
    return w, b


for update in [with_no_grad, with_data, with_add, with_fresh_leaves, with_copy]:
    print(update.__name__, end=" ")
    train(update)

w = torch.ones(2, requires_grad=True)
(w * 3).sum().backward()
try:
    w -= 0.1 * w.grad
except RuntimeError as e:
    print("a leaf Variable that requires grad" in str(e))
w = w - 0.1 * w.grad
print(w, w.is_leaf)
