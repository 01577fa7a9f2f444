"""Forms of grad_outputs that torch.autograd.grad takes."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
u, v = x * 2, x**2

print(torch.autograd.grad(u, x, torch.ones(3), retain_graph=True))
print(torch.autograd.grad(u, x, [torch.ones(3)], retain_graph=True))
print(torch.autograd.grad([u, v], x, [torch.ones(3), torch.ones(3)], retain_graph=True))
print(torch.autograd.grad([u, v.sum()], x, [torch.ones(3), None], retain_graph=True))
print(
    torch.autograd.grad(
        (u, v),
        (x,),
        grad_outputs=(torch.zeros(3), torch.tensor([1.0, 0.0, 0.0])),
        retain_graph=True,
    )
)
# integer or double gradients for a float output
for g in (torch.ones(3, dtype=torch.float64), torch.ones(3, dtype=torch.int64)):
    try:
        (r,) = torch.autograd.grad(u, x, g, retain_graph=True)
        print(r, r.dtype)
    except RuntimeError as e:
        print("refused", g.dtype)
try:
    torch.autograd.grad([u, v], x, torch.ones(3), retain_graph=True)
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.autograd.grad(u, x, torch.ones(2), retain_graph=True)
except RuntimeError as e:
    print("Mismatch in shape" in str(e))
