"""outer, kron, tensordot, broadcasting products: one result, several spellings."""
import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0, 5.0], requires_grad=True)
forms = [torch.outer(a, b), torch.ger(a, b), a[:, None] * b, a.unsqueeze(1) @ b.unsqueeze(0), torch.einsum("i,j->ij", a, b),
         torch.tensordot(a, b, dims=0), torch.kron(a, b).view(2, 3), torch.stack([x * b for x in a]), torch.addr(torch.zeros(2, 3), a, b)]
for f in forms:
    ga, gb = torch.autograd.grad((f * torch.arange(6.0).view(2, 3)).sum(), (a, b))
    print(f.grad_fn.name(), torch.equal(f, forms[0]), ga, gb)
A, B = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.eye(2)
print(torch.kron(A, B), torch.kron(A, torch.ones(1, 2)).shape, torch.kron(torch.tensor(2.0), A))
v = torch.tensor([1.0, 2.0, 3.0, 4.0])
X = v.view(2, 2).T
lhs = torch.kron(B, A) @ X.T.reshape(-1)
print(lhs, (A @ X).T.reshape(-1))
print(torch.tensordot(A, A, dims=2), torch.tensordot(A, A, dims=([0], [1])), torch.inner(A, A), torch.vdot(a, a), torch.linalg.vecdot(A, A))
print(torch.cross(torch.tensor([1.0, 0, 0]), torch.tensor([0.0, 1, 0]), dim=-1), torch.linalg.cross(torch.eye(3), torch.ones(3, 3)))
print(torch.linalg.multi_dot([A, A, A]).equal(A @ A @ A), torch.chain_matmul is not None, torch.dot(a, a), a @ a, torch.bmm(A[None], A[None])[0])
