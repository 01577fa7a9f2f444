"""Meta-learning: differentiate through two inner gradient steps."""

import torch

meta = torch.tensor([0.2, -0.3], requires_grad=True)
lr = torch.tensor(0.1, requires_grad=True)


def task_loss(w, x, y):
    return ((x * w[0] + w[1] - y) ** 2).mean()


xs = torch.tensor([0.0, 1.0, 2.0])
tasks = [2 * xs + 1, -1 * xs + 0.5]
outer = 0.0
for ys in tasks:
    w = meta
    for _ in range(2):
        (g,) = torch.autograd.grad(task_loss(w, xs, ys), w, create_graph=True)
        w = w - lr * g
    outer = outer + task_loss(w, xs + 0.5, ys)
print(outer)
outer.backward()
print(meta.grad, lr.grad)

# first-order variant: the inner gradient is a constant
meta.grad = None
w = meta
(g,) = torch.autograd.grad(task_loss(w, xs, tasks[0]), w)
w = w - 0.1 * g
task_loss(w, xs, tasks[0]).backward()
print(meta.grad, g.requires_grad)
