"""addcmul, addcdiv, lerp, where, clamp, addmm, baddbmm and friends."""
import torch


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


a, b, c = leaf(1.0, 2.0), leaf(3.0, 4.0), leaf(5.0, 0.5)
for y in [
    torch.addcmul(a, b, c),
    torch.addcmul(a, b, c, value=0.5),
    torch.addcdiv(a, b, c, value=2),
    torch.lerp(a, b, 0.25),
    torch.lerp(a, b, c),
    torch.clamp(a, 1.5, 3),
    torch.clamp(a, min=b, max=c + 10),
    a.clip(max=1.5),
    a.clamp_min(1.2),
    torch.clamp(a, max=1.0),
]:
    for t in (a, b, c):
        t.grad = None
    y.sum().backward()
    print(y, a.grad, b.grad, c.grad)
M = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
N = torch.tensor([[0.5, -1.0], [2.0, 1.0]], requires_grad=True)
for y in [
    torch.addmm(a, M, N),
    torch.addmm(M, M, N, beta=0.5, alpha=2),
    torch.addmv(a, M, b),
    torch.addr(M, a, b),
    torch.baddbmm(M[None], M[None], N[None], beta=2),
    torch.addbmm(M, M[None], N[None]),
]:
    a.grad = M.grad = N.grad = None
    y.sum().backward()
    print(y, a.grad, M.grad, N.grad)
with torch.no_grad():
    a.addcmul_(b, c, value=-1)
    b.addcdiv_(c, c)
    c.lerp_(a, 0.5)
    M.addmm_(N, N, alpha=0.1)
print(a, b, c, M)
