"""autograd.grad with positional and keyword arguments, tuples, lists and single tensors."""
import torch
from torch import autograd

x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
w = torch.tensor([[2.0], [3.0]], dtype=torch.float64, requires_grad=True)
y = (x @ w).tanh()
print(type(autograd.grad(y, x, torch.ones(1, dtype=torch.float64), True)))
g = autograd.grad(y, [x, w], retain_graph=True)
print(len(g), g[0], g[1], g[0].requires_grad, g[0].grad_fn)
g = autograd.grad(outputs=(y,), inputs=(w, x), retain_graph=True, create_graph=True)
print(g)
print(autograd.grad([y, y * 2], x, grad_outputs=[torch.ones_like(y), None], retain_graph=True))
print(x.grad, w.grad, y.grad_fn)
print(autograd.grad(y, y, retain_graph=True))
mid = x * 2
out = mid.pow(2).sum()
print(autograd.grad(out, (mid, x), retain_graph=True))
print(autograd.grad(out, (x, x), retain_graph=True))
for kw in (dict(inputs=torch.ones(2)), dict(inputs=[]), dict(inputs=w), dict(inputs="x"),
           dict(inputs=x, grad_outputs=torch.ones(2)), dict(inputs=x, grad_outputs=1.0),
           dict(inputs=x, bogus=1), dict(inputs=x, grad_outputs=[None, None])):
    try:
        print(autograd.grad(out, retain_graph=True, **kw))
    except Exception as e:
        print(sorted(kw), type(e).__name__)
print(autograd.grad(out, x))
try:
    autograd.grad(out, x)
except RuntimeError as e:
    print("freed", type(e).__name__)
