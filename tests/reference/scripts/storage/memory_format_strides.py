"""Memory formats: channels_last, preserve_format, contiguous_format, and the strides they give."""
import torch

x = torch.arange(24.0).view(1, 2, 3, 4)
c = x.contiguous(memory_format=torch.channels_last)
print(c.stride(), c.is_contiguous(), c.is_contiguous(memory_format=torch.channels_last), torch.equal(x, c))
print(c.clone().stride(), c.clone(memory_format=torch.contiguous_format).stride(), torch.empty_like(c).stride(), torch.zeros_like(c).stride())
print((c + 1).stride(), c.relu().stride(), c.contiguous().stride(), c.to(memory_format=torch.contiguous_format).stride())
t = torch.arange(6.0).view(2, 3).t()
print(t.clone().stride(), t.contiguous().stride(), (t * 2).stride(), t.double().stride(), torch.ones_like(t).stride(), t.neg().stride())
print(t.sum(0).stride(), t.unsqueeze(0).stride(), t.view(3, 2).stride())
print(torch.channels_last, torch.contiguous_format, torch.preserve_format)
w = torch.ones(2, 3, requires_grad=True)
w.t().mul(2).sum().backward()
print(w.grad.stride(), w.t().clone().grad_fn.name(), w.clone(memory_format=torch.preserve_format).stride())
p = torch.ones(3, 2).t().requires_grad_()
p.pow(2).sum().backward()
print(p.grad.stride(), p.is_leaf)
print(torch.zeros(3, 1, 2).stride(), torch.zeros(1, 3).t().stride())
