"""Norms of every order: values, gradients at zero and at ties."""

import torch

x = torch.tensor([[3.0, -4.0], [0.0, 0.0]], dtype=torch.float64, requires_grad=True)
inf = float("inf")
for p in [0, 0.5, 1, 2, 3, inf, -inf]:
    for kw in [{}, {"dim": 1}]:
        x.grad = None
        y = torch.norm(x, p, **kw)
        y.sum().backward()
        print(p, kw, y.detach(), x.grad)
        x.grad = None
        z = torch.linalg.vector_norm(x, p, **kw)
        z.sum().backward()
        print(z.detach(), x.grad, z.grad_fn.name())
print(
    x.norm("fro"),
    x.norm("nuc"),
    torch.norm(x, dim=(0, 1)),
    x.norm(dtype=torch.float32) if False else "",
    torch.linalg.norm(x, "fro"),
    torch.linalg.norm(x, inf),
    torch.linalg.norm(x, -1, dim=0),
)
print(
    torch.dist(x, torch.ones(2, 2), 1),
    torch.dist(x, x.detach()),
    torch.cdist(x, torch.ones(1, 2, dtype=torch.float64)),
    torch.cdist(x, x, p=1),
)
x.grad = None
torch.dist(x, x.detach()).backward()
print(x.grad)
x.grad = None
torch.cdist(x, x).sum().backward()
print(x.grad)
n = torch.nn.functional.normalize(x, dim=1)
x.grad = None
n.sum().backward()
print(n, x.grad)
print(
    torch.renorm(x.detach(), 2, 0, 1.0),
    torch.nn.functional.cosine_similarity(x, torch.ones(2, 2, dtype=torch.float64)),
    torch.pairwise_distance(x, torch.zeros(2, 2)),
    torch.nn.functional.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])),
)
for bad in [
    lambda: torch.norm(torch.tensor([1, 2])),
    lambda: x.norm("abc"),
    lambda: torch.linalg.norm(torch.ones(2, 2, 2), 2),
    lambda: torch.linalg.norm(x, 5),
    lambda: torch.linalg.vector_norm(torch.tensor([1])),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print(
    torch.linalg.vector_norm(torch.tensor([3 + 4j, 0j])),
    torch.tensor([3 + 4j]).norm().dtype,
    torch.empty(0).norm(),
    torch.empty(0).norm(1),
)
