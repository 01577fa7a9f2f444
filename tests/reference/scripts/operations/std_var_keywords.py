"""std, var and their pairs: correction, unbiased, dims, gradients."""

import torch

x = torch.tensor([[1.0, 2.0, 4.0], [7.0, 7.0, 1.0]], dtype=torch.float64, requires_grad=True)
print(x.std(), x.var(), x.std(unbiased=False), x.var(False))
print(x.std(0), x.var(1, keepdim=True), x.std(dim=(0, 1), correction=0), x.var(dim=1, correction=2))
print(
    torch.std(x, 1, False),
    torch.var(x, dim=1, unbiased=True, keepdim=True),
    torch.var(x, correction=0),
)
print(torch.std_mean(x), torch.var_mean(x, dim=0, correction=0), torch.std_mean(x, 1, keepdim=True))
s, m = torch.std_mean(x, dim=1)
print(s.grad_fn, m.grad_fn)
(s.sum() + 2 * m.sum()).backward()
print(x.grad)
x.grad = None
x.var(0, unbiased=False).sum().backward()
print(x.grad)
c = torch.ones(3, requires_grad=True)
c.std().backward()
print(c.grad)
c.grad = None
c.var().backward()
print(c.grad)
one = torch.tensor([4.0], requires_grad=True)
v = one.var()
print(v, one.std(correction=0), torch.tensor(2.0).std(correction=0))
v.backward()
print(one.grad)
print(torch.empty(0).var(), torch.empty(0, 3).std(1))
print(x.std(axis=0), x.var(dim=-1, keepdims=True) if False else "")
for bad in [
    lambda: torch.tensor([1, 2]).std(),
    lambda: x.std(5),
    lambda: x.std(dim=0, unbiased=True, correction=1),
]:
    try:
        bad()
    except Exception as error:
        print(type(error).__name__)
z = torch.tensor([1 + 1j, 2 - 1j, 0j])
print(z.std(), z.var(correction=0), z.var().dtype)
h = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float16)
print(h.std(), h.var(0, dtype=torch.float32) if False else h.var().dtype)
