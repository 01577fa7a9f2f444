"""Checkpointing without reentrance."""
import torch
from torch.utils.checkpoint import checkpoint

calls = []


def block(x, w, scale=1.0):
    calls.append(torch.is_grad_enabled())
    return torch.tanh(x * w) * scale


x = torch.tensor([0.5, -1.0], requires_grad=True)
w = torch.tensor([2.0, 3.0], requires_grad=True)
y = checkpoint(block, x, w, use_reentrant=False)
print(y, calls)
y.sum().backward()
print(x.grad, w.grad, calls)
g = x.grad.clone()
x.grad = w.grad = None
y = checkpoint(block, x, w, scale=2.0, use_reentrant=False)
y.sum().backward(retain_graph=True)
y.sum().backward()
print(x.grad / g, len(calls))
(gx,) = torch.autograd.grad(checkpoint(block, x, w, use_reentrant=False).sum(), x, create_graph=True)
print(gx, torch.autograd.grad(gx.sum(), w))
with torch.no_grad():
    print(checkpoint(block, x, w, use_reentrant=False).requires_grad)
print(checkpoint(lambda a: (a * 2, "text", None), x, use_reentrant=False))


def random_block(x):
    return torch.nn.functional.dropout(x, 0.5) * x


torch.manual_seed(3)
x.grad = None
y = checkpoint(random_block, x, use_reentrant=False)
y.sum().backward()
first = x.grad.clone()
torch.manual_seed(3)
x.grad = None
random_block(x).sum().backward()
print(torch.equal(first, x.grad))
state = {"n": 0}


def changing(x):
    state["n"] += 1
    return x.exp() if state["n"] == 1 else x.exp().sin()


def smaller(x):
    state["n"] += 1
    return (x.exp() * x).sin() if state["n"] == 1 else x.exp()


def shapes(x):
    state["n"] += 1
    return x.exp() if state["n"] == 1 else x[:1].exp()


for f in (changing, smaller, shapes):
    state["n"] = 0
    try:
        checkpoint(f, x, use_reentrant=False).sum().backward()
        print("ok")
    except Exception as e:
        print(type(e).__name__)
