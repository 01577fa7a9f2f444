"""The alpha, beta and value arguments, in functions and in-place methods."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([10.0, 20.0], requires_grad=True)
for name, f in {
    "add": lambda: torch.add(x, y, alpha=2), "sub": lambda: x.sub(y, alpha=0.5), "add number": lambda: x.add(1, alpha=3),
    "rsub": lambda: torch.rsub(x, y, alpha=2), "addcmul": lambda: torch.addcmul(x, x, y, value=0.1), "addcdiv": lambda: x.addcdiv(y, x, value=-1),
    "add_": lambda: x.clone().add_(y, alpha=-1), "sub_": lambda: x.clone().sub_(y, alpha=2), "addcmul_": lambda: y.clone().addcmul_(x, x, value=2),
    "lerp": lambda: torch.lerp(x, y, 0.1), "lerp_": lambda: x.clone().lerp_(y, torch.tensor([0.1, 0.9])),
    "addmv": lambda: torch.addmv(x, torch.eye(2), y, beta=2, alpha=3), "addr": lambda: torch.addr(torch.zeros(2, 2), x, y, alpha=0.5),
}.items():
    x.grad = y.grad = None
    r = f()
    r.sum().backward()
    print(name, r, x.grad, y.grad)
M = torch.ones(2, 2)
print(M.addmm_(M * 2, M.clone(), beta=0.5, alpha=2), M)
b = torch.zeros(1, 2, 2).baddbmm_(torch.ones(1, 2, 3), torch.ones(1, 3, 2))
print(b, torch.zeros(2).addmv_(torch.ones(2, 2), torch.ones(2)))
try:
    torch.tensor([1]).add_(torch.tensor([1]), alpha=0.5)
except RuntimeError as e:
    print(type(e).__name__)
