"""A parameter that became a non-leaf by .to, by arithmetic or by reshape gets no .grad."""

import warnings
import torch

warnings.simplefilter("ignore")
for name, f in {
    "to": lambda t: t.to(torch.float64),
    "mul": lambda t: t * 0.1,
    "view": lambda t: t.view(2, 1),
    "same": lambda t: t.to(torch.float32),
    "clone": lambda t: t.clone(),
}.items():
    w = f(torch.ones(2, requires_grad=True))
    (w * 3).sum().backward()
    print(name, w.is_leaf, w.grad)
w = (torch.ones(2) * 0.1).requires_grad_()
(w * 3).sum().backward()
print(w.is_leaf, w.grad)
try:
    torch.optim.SGD([torch.ones(2, requires_grad=True) * 2], lr=0.1)
except ValueError as e:
    print(type(e).__name__, "non-leaf" in str(e))
w = torch.ones(2).requires_grad_()
w = w - 0.1 * 2
print(w.is_leaf, w.requires_grad)
