"""torch.autograd.functional: jacobian, hessian, vjp, jvp, hvp, vhp."""
import torch
from torch.autograd import functional as AF

x = torch.tensor([1.0, 2.0])
y = torch.tensor([[0.5, 1.0]])


def f(x, y):
    return x.exp() * y.sum(), (x * y).sum()


def s(x, y):
    return (x ** 2).sum() * y.prod()


print(AF.jacobian(torch.sin, x))
print(AF.jacobian(f, (x, y)))
print(AF.jacobian(lambda x: x.sum(), x), AF.jacobian(lambda a: (a, a * 2), x))
print(AF.jacobian(torch.sin, x, vectorize=True), AF.jacobian(torch.sin, x, vectorize=True, strategy="forward-mode"))
print(AF.hessian(lambda x: (x ** 3).sum(), x))
print(AF.hessian(s, (x, y)))
print(AF.hessian(lambda x: x.prod(), x, vectorize=True, outer_jacobian_strategy="forward-mode").detach())
print(AF.vjp(torch.sin, x, torch.ones(2)), AF.vjp(lambda x: x.sum(), x))
print(AF.vjp(f, (x, y), (torch.ones(2), torch.tensor(1.0))))
print(AF.jvp(torch.sin, x, torch.ones(2)), AF.jvp(lambda x: x.sum(), x, v=torch.ones(2)))
print(AF.jvp(f, (x, y), (torch.ones(2), torch.ones(1, 2))))
print(AF.hvp(lambda x: (x ** 3).sum(), x, torch.ones(2)), AF.vhp(lambda x: (x ** 3).sum(), x, torch.ones(2)))
print(AF.hvp(s, (x, y), (x, y)), AF.vhp(s, (x, y), (x, y)))
r = x.clone().requires_grad_()
for create in (False, True):
    j = AF.jacobian(lambda a: a ** 3, r, create_graph=create)
    print(j, j.requires_grad, AF.hessian(lambda a: a.prod(), r, create_graph=create).requires_grad)
    out, g = AF.vjp(lambda a: (a ** 3).sum(), r, create_graph=create)
    print(out.requires_grad, g.requires_grad)
bads = {
    "vjp no v": lambda: AF.vjp(torch.sin, x), "vjp shape": lambda: AF.vjp(torch.sin, x, torch.ones(3)),
    "hessian vec": lambda: AF.hessian(torch.sin, x), "jvp no v": lambda: AF.jvp(torch.sin, x),
    "not tensor": lambda: AF.jacobian(torch.sin, 3.0), "returns number": lambda: AF.jacobian(lambda x: 3.0, x),
    "independent": lambda: AF.jacobian(lambda x: torch.ones(2), x), "detached": lambda: AF.jacobian(lambda x: x.detach(), x),
    "independent strict": lambda: AF.jacobian(lambda x: torch.ones(2), x, strict=True),
    "hess linear": lambda: AF.hessian(lambda x: x.sum(), x), "hess linear strict": lambda: AF.hessian(lambda x: x.sum(), x, strict=True),
    "hvp ind": lambda: AF.hvp(lambda x: torch.ones(()), x, x), "hvp strict": lambda: AF.hvp(lambda x: x.sum(), x, x, strict=True),
    "vjp strict": lambda: AF.vjp(lambda x: torch.ones(()), x, strict=True), "jvp strict": lambda: AF.jvp(lambda x: torch.ones(2), x, x, strict=True),
    "hvp dtype": lambda: AF.hvp(lambda x: x.prod(), x, x.double()), "list": lambda: AF.jacobian(lambda a: a * 2, [x]),
    "strict vec": lambda: AF.jacobian(torch.sin, x, strict=True, vectorize=True), "strategy": lambda: AF.jacobian(torch.sin, x, strategy="forward-mode"),
    "int": lambda: AF.jacobian(lambda a: a * 2, torch.tensor([1, 2])), "dict": lambda: AF.jacobian(lambda a: {"a": a}, x),
}
for name, bad in bads.items():
    try:
        print(name, bad())
    except Exception as e:
        print(name, type(e).__name__)
print(x.requires_grad, r.grad)
