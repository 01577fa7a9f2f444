"""matmul in all its shapes, mm, mv, bmm, dot, outer, and their refusals."""
import torch

v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
M = torch.arange(6.0).view(2, 3).requires_grad_()
B = torch.arange(12.0).view(2, 3, 2).requires_grad_()
for name, f in {
    "dot": lambda: torch.dot(v, v),
    "v@v": lambda: v @ v,
    "mv": lambda: torch.mv(M, v),
    "M@v": lambda: M @ v,
    "v@M.T": lambda: v @ M.T,
    "mm": lambda: torch.mm(M, M.t()),
    "bmm": lambda: torch.bmm(B, B.transpose(1, 2)),
    "M@B": lambda: M @ B,
    "B@2": lambda: B @ torch.ones(2),
    "v@B": lambda: v @ B,
    "batched": lambda: torch.matmul(B[:, None], torch.ones(4, 2, 1)),
    "outer": lambda: torch.outer(v, M[0]),
    "ger": lambda: v.ger(v),
    "inner": lambda: torch.inner(M, v),
    "vdot": lambda: torch.vdot(v, v),
    "kron": lambda: torch.kron(v, M[0]),
    "tensordot": lambda: torch.tensordot(B, M, dims=([0, 1], [0, 1])),
    "tensordot 1": lambda: torch.tensordot(M, B, dims=1) if False else torch.tensordot(M, M.T, dims=1),
    "chain": lambda: torch.chain_matmul(M, M.T) if False else M @ M.T @ M,
    "cdist": lambda: torch.cdist(M, M + 1),
}.items():
    for t in (v, M, B):
        t.grad = None
    y = f()
    y.sum().backward()
    print(name, tuple(y.shape), y.grad_fn.name(), y.flatten()[:3].tolist())
    print([None if t.grad is None else round(t.grad.sum().item(), 3) for t in (v, M, B)])
for bad in [lambda: M @ M, lambda: torch.mm(M, v), lambda: v @ torch.ones(2), lambda: M @ 2.0, lambda: torch.dot(M, M),
            lambda: torch.tensor(1.0) @ v, lambda: torch.bmm(M, M), lambda: M @ M.T.long()]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
print(torch.tensor([1, 2]) @ torch.tensor([3, 4]), torch.zeros(2, 0) @ torch.zeros(0, 3))
