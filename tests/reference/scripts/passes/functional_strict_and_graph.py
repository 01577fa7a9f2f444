"""strict and create_graph of torch.autograd.functional."""

import torch
from torch.autograd import functional as AF

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0])
J = AF.jacobian(lambda v: v**2 * y, x, create_graph=True)
print(J.requires_grad, torch.autograd.grad(J.sum(), x))
H = AF.hessian(lambda v: (v**3).sum(), x, create_graph=True)
print(torch.autograd.grad(H.sum(), x))
print(AF.jacobian(lambda v: v * 2, x, create_graph=True).requires_grad)
with torch.no_grad():
    J = AF.jacobian(lambda v: v**2, x)
    print(J, J.requires_grad, torch.is_grad_enabled())
for name, f in {
    "constant": lambda: AF.jacobian(lambda v: torch.ones(2), x, strict=True),
    "one unused": lambda: AF.jacobian(lambda a, b: a * 2, (x, y), strict=True),
    "linear": lambda: AF.jacobian(lambda v: v * 2, x, strict=True, create_graph=True),
    "hessian of linear": lambda: AF.hessian(lambda v: (v * 2).sum(), x, strict=True),
    "fine": lambda: AF.hessian(lambda v: (v**2).sum(), x, strict=True),
    "vjp": lambda: AF.vjp(lambda v: torch.ones(2), x, y, strict=True),
    "jvp": lambda: AF.jvp(lambda v: torch.ones(2), x, y, strict=True),
    "not strict": lambda: AF.vjp(lambda v: torch.ones(2), x, y),
    "hvp": lambda: AF.hvp(lambda v: (v * 2).sum(), x, y),
    "vhp": lambda: AF.vhp(lambda v: (v * 2).sum(), x, y),
    "vectorize": lambda: AF.jacobian(lambda v: v**2, x, strict=True, vectorize=True),
}.items():
    try:
        print(name, f())
    except RuntimeError as e:
        print(name, type(e).__name__)
print(x.grad, x.requires_grad)
