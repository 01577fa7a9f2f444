"""gradcheck and gradgradcheck on ordinary functions."""

import torch
import torch.nn.functional as F
from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([[0.3, -0.8, 1.2], [0.5, 0.1, -0.4]], dtype=torch.double, requires_grad=True)
w = torch.tensor([[1.0, 0.5, -0.5], [0.2, -0.3, 0.7]], dtype=torch.double, requires_grad=True)
b = torch.tensor([0.1, -0.1], dtype=torch.double, requires_grad=True)
print(gradcheck(F.linear, (x, w, b)))
print(gradcheck(torch.sigmoid, x, eps=1e-6, atol=1e-4))
print(gradgradcheck(torch.tanh, (x,)))
print(gradcheck(lambda a: (a.sum(), a.exp(), a.detach()), x))
print(gradcheck(lambda a, n: a**n, (x, 3)))
print(gradcheck(torch.matmul, (x, w.detach().t()), check_forward_ad=True))
print(gradcheck(lambda a: a.softmax(1), (x,), check_batched_grad=True, fast_mode=True))
z = torch.tensor([1.0 + 2.0j, -0.5j], dtype=torch.cdouble, requires_grad=True)
print(
    gradcheck(lambda a: a * a.conj(), (z,)),
    gradcheck(torch.abs, (z,)),
    gradcheck(lambda a: a.exp(), (z,)),
)


def broken(a):
    return a.detach() * a


print(gradcheck(broken, x, raise_exception=False))
try:
    gradcheck(lambda a: a.detach() ** 2 + a, x)
except RuntimeError as e:
    print(type(e).__name__, "Jacobian mismatch" in str(e))
try:
    gradcheck(torch.exp, torch.ones(2))
except ValueError as e:
    print(type(e).__name__)
print(gradgradcheck(lambda a: a**3, x, grad_outputs=torch.ones_like(x).requires_grad_()))
