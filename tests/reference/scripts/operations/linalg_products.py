"""mm, bmm, mv, matmul, dot, outer, addmm ... : shapes, gradients, refusals."""

import torch


def r(*shape):
    n = 1
    for s in shape:
        n *= s
    return (torch.arange(n, dtype=torch.float64) % 5 - 2).view(shape).requires_grad_()


for f, shapes in [
    (torch.mm, [(2, 3), (3, 2)]),
    (torch.bmm, [(2, 1, 3), (2, 3, 2)]),
    (torch.mv, [(2, 3), (3,)]),
    (torch.dot, [(3,), (3,)]),
    (torch.vdot, [(3,), (3,)]),
    (torch.inner, [(2, 3), (4, 3)]),
    (torch.outer, [(2,), (3,)]),
    (torch.ger, [(2,), (3,)]),
    (torch.matmul, [(3,), (3,)]),
    (torch.matmul, [(3,), (3, 2)]),
    (torch.matmul, [(2, 3), (3,)]),
    (torch.matmul, [(4, 1, 2, 3), (2, 3, 1)]),
    (torch.matmul, [(2, 2, 3), (3,)]),
    (torch.addmm, [(2, 2), (2, 3), (3, 2)]),
    (torch.addmm, [(2,), (2, 3), (3, 2)]),
    (torch.addmv, [(2,), (2, 3), (3,)]),
    (torch.addr, [(2, 3), (2,), (3,)]),
    (torch.baddbmm, [(2, 1, 1), (2, 1, 3), (2, 3, 1)]),
    (torch.addbmm, [(1, 1), (2, 1, 3), (2, 3, 1)]),
    (torch.kron, [(2, 1), (1, 3)]),
    (torch.cross, [(2, 3), (2, 3)]),
    (torch.linalg.vecdot, [(2, 3), (2, 3)]),
    (torch.linalg.cross, [(2, 3), (2, 3)]),
    (torch.tensordot, [(2, 3), (2, 3)]),
]:
    leaves = [r(*s) for s in shapes]
    y = f(*leaves)
    y.pow(2).sum().backward()
    print(
        f.__name__,
        tuple(y.shape),
        y.grad_fn.name(),
        y.detach().flatten().tolist(),
        [l.grad.flatten().tolist() for l in leaves],
    )
a, b = r(2, 3), r(3, 2)
print(
    a @ b,
    torch.addmm(torch.ones(2, 2, dtype=torch.float64), a, b, beta=0.5, alpha=2),
    torch.einsum("ij,jk->ik", a, b),
    torch.linalg.multi_dot([a, b, a]),
    torch.tensordot(a, b, dims=([1], [0])),
    torch.tensordot(a, a, 0).shape,
)
x = torch.zeros(2, 2)
print(
    x.addmm_(a.detach().float(), b.detach().float(), beta=0), x.addr_(torch.ones(2), torch.ones(2))
)
x @= torch.eye(2)
print(x)
for bad in [
    lambda: a.mm(a),
    lambda: a @ a,
    lambda: torch.dot(a, a),
    lambda: torch.dot(r(2), r(3)),
    lambda: a @ b.float(),
    lambda: torch.bmm(a, b),
    lambda: torch.mv(a, r(2)),
    lambda: torch.matmul(torch.tensor(1.0), torch.ones(1)),
    lambda: torch.outer(a, b),
    lambda: a @ 3,
    lambda: torch.cross(r(2), r(2)),
    lambda: torch.addmm(r(3), a, b),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
print(
    torch.ones(2, 0) @ torch.ones(0, 3),
    torch.ones(0, 2) @ torch.ones(2, 3),
    torch.dot(torch.ones(0), torch.ones(0)),
)
