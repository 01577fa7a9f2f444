"""Mixed dtypes in place and through copy_, with gradients cast back."""

import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = torch.zeros(3, dtype=torch.float16)
h.copy_(w)
print(h, h.grad_fn, h.dtype)
(h * torch.tensor([1.0, 2.0, 3.0], dtype=torch.float16)).sum().backward()
print(w.grad, w.grad.dtype)
w.grad = None
d = torch.zeros(3, dtype=torch.float64)
d += w
d[0] = w[1] * 2
d[1:].copy_(w[:2])
d.add_(w, alpha=2)
print(d, d.grad_fn)
d.sum().backward()
print(w.grad)
w.grad = None
f = w * 1
f.mul_(torch.tensor([2.0, 2.0, 2.0], dtype=torch.float64))
f.add_(torch.tensor(1.5, dtype=torch.float64)).sub_(1).div_(2)
print(f, f.dtype)
f.sum().backward()
print(w.grad)
b = w.bfloat16()
b[0] = 1 / 3
b.mul_(w.detach())
print(b, b.grad_fn, b.float())
w.grad = None
b.sum().backward()
print(w.grad)
for lhs in (
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.int32,
    torch.bool,
    torch.complex64,
):
    for rhs in (torch.float16, torch.float64, torch.int64, torch.bool, torch.complex128):
        t = torch.ones(2).to(lhs)
        try:
            t.add_(torch.ones(2).to(rhs))
            print(str(lhs)[6:], str(rhs)[6:], t.tolist(), t.dtype is lhs)
        except RuntimeError:
            print(str(lhs)[6:], str(rhs)[6:], "RuntimeError")
t = torch.ones(2, dtype=torch.float16)
t.add_(1e-4).mul_(60000)
print(t, t.mul_(10), t.sub_(float("inf")))
i = torch.tensor([1, 2, 3])
i.copy_(torch.tensor([1.9, -2.9, 3.5]))
print(
    i,
    i.float().copy_(i),
    i.bool().copy_(torch.tensor([0, 5, 0])),
    i.to(torch.uint8),
    i.fill_(True),
    i.add_(torch.tensor(True)),
)
i[0] = 7.9
i[1:] = torch.tensor([1.5, 2.5])
print(i)
