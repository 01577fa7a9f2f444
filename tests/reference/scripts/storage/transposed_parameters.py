"""Gradients have the layout of the parameter; writes through transposes of results."""

import torch

w = torch.arange(6.0).view(2, 3).t().requires_grad_()
print(w.is_leaf, w.stride(), w.is_contiguous())
(w**2).sum().backward()
print(w.grad, w.grad.stride())
v = torch.arange(6.0).view(2, 3)[:, ::2].requires_grad_()
(v * 3).sum().backward()
print(v.stride(), v.grad.stride(), v.grad)
e = torch.ones(1, 2).expand(3, 2).requires_grad_()
(e * 2).sum().backward()
print(e.stride(), e.grad.stride(), e.grad)
p = torch.nn.Parameter(torch.zeros(2, 3, 4).permute(2, 0, 1))
(p + 1).prod().backward()
print(p.grad.stride(), p.grad.shape, p.stride())
a = torch.arange(6.0).view(2, 3).requires_grad_()
r = a * 1
r.t()[1] = torch.tensor([5.0, 6.0])
r.transpose(0, 1).mul_(2)
r.T.diagonal().zero_() if False else r.t()[0].add_(1)
print(r, r.grad_fn, r.is_contiguous())
r.sum().backward()
print(a.grad, a.grad.stride())
b = a.t() * 1
print(b.stride(), b.is_contiguous())
b.add_(torch.ones(3, 2))
b[0].mul_(3)
a.grad = None
b.sum().backward()
print(a.grad, a.grad.is_contiguous())
m = torch.zeros(3, 2).t()
m[0] = 1
m.view(-1) if m.is_contiguous() else m.reshape(-1).add_(5)
print(m, m.sum())
m.flatten().add_(1)
m.ravel()[0] = 9
print(m)
c = m.contiguous()
c.zero_()
print(
    m.sum(),
    c.sum(),
    m.mul_(2).stride(),
    (m * 2).stride(),
    m.clone().stride(),
    torch.empty_like(m).stride(),
    m.add(1).stride(),
    m.t().is_contiguous(),
    m.new_zeros(2, 3).stride(),
)
torch.add(m, 1, out=m)
print(m, m.stride())
