"""MAML-style inner loops: updates that stay in the graph, and the in-place ones that cannot."""
import torch

w = torch.tensor([0.5, -0.5], requires_grad=True)
lr = torch.tensor(0.1, requires_grad=True)
x, y = torch.tensor([[1.0, 2.0], [3.0, -1.0]]), torch.tensor([1.0, 0.0])


def loss_of(w):
    return ((x @ w - y) ** 2).mean()


fast = w
for _ in range(3):
    (g,) = torch.autograd.grad(loss_of(fast), fast, create_graph=True)
    fast = fast - lr * g
meta = loss_of(fast)
meta.backward()
print(meta, w.grad, lr.grad)
w.grad = lr.grad = None
fast = w.clone()
for _ in range(3):
    (g,) = torch.autograd.grad(loss_of(fast), fast, create_graph=True)
    fast = fast.sub(lr * g)
loss_of(fast).backward()
print(w.grad, lr.grad)
w.grad = lr.grad = None
fast = w.clone()
(g,) = torch.autograd.grad(loss_of(fast), fast, create_graph=True)
fast.sub_(lr * g)
try:
    loss_of(fast).backward()
    print("through", w.grad)
except RuntimeError as e:
    print("inplace" in str(e))
first = w.detach().clone().requires_grad_()
for _ in range(3):
    (g,) = torch.autograd.grad(loss_of(first), first)
    first = (first - 0.1 * g).detach().requires_grad_()
(g,) = torch.autograd.grad(loss_of(first), first)
print(g)
