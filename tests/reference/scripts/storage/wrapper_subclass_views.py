"""Tensor subclasses, Parameters and buffers under views and in-place writes."""

import torch


class Tagged(torch.Tensor):
    pass


t = torch.ones(2, 2).as_subclass(Tagged)
print(type(t).__name__, type(t.add_(1)).__name__, isinstance(t, torch.Tensor))
p = torch.nn.Parameter(torch.zeros(2, 2))
print(
    type(p[0]).__name__,
    type(p.data).__name__,
    type(p.detach()).__name__,
    type(p * 1).__name__,
    type(p.clone()).__name__,
    type(p.view(4)).__name__,
    p[0].is_leaf,
    isinstance(p, torch.nn.Parameter),
    isinstance(p.data, torch.nn.Parameter),
)
q = torch.nn.Parameter(torch.zeros(2), requires_grad=False)
q.add_(1)
q[0] = 5
print(q, q._version, q.grad_fn, q.requires_grad)
q.requires_grad_()
try:
    q.add_(1)
except RuntimeError:
    print("RuntimeError")


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("count", torch.tensor(0))
        self.register_buffer("hist", torch.zeros(2, 3), persistent=False)

    def forward(self, x):
        self.count += 1
        self.hist[int(self.count) % 2] = x.detach()
        h = x * self.w
        h[..., 0] *= 2
        return h


m = M()
x = torch.arange(3.0, requires_grad=True)
out = m(x)
m(x * 2)
print(out, m.count, m.hist, m.count._version, list(m.state_dict()))
out.sum().backward()
print(m.w.grad, x.grad)
m.hist.zero_()
m.w.data.copy_(torch.tensor([5.0, 6.0, 7.0]))
print(m.w, m.hist, m.w._version)
m.double()
print(m.w.dtype, m.hist.dtype, m.count.dtype, m.w.grad.dtype)
m.half().float()
print(m.w, m.w.is_leaf)
shared = m.w.view(3)
m.zero_grad()
print(m.w.grad, shared.grad_fn)
m.requires_grad_(False)
m.w += 1
print(m.w, m.w.requires_grad)
m.requires_grad_()
buf = dict(m.named_buffers())
buf["count"] += 10
print(m.count)
del m.hist
print([n for n, _ in m.named_buffers()])
sd = m.state_dict()
sd["w"][0] = -1
print(m.w, sd["w"].requires_grad, sd["w"].data_ptr() == m.w.data_ptr())
