"""clone is recorded, and its memory is its own."""

import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = x.clone()
print(y, y.is_leaf, y.grad_fn.name(), y.data_ptr() == x.data_ptr())
y[0] = 0
print(y, x)
y.sum().backward()
print(x.grad)
t = x.detach().t()
print(t.clone().stride(), t.contiguous().stride(), t.clone(memory_format=torch.contiguous_format).stride(), torch.clone(t).is_contiguous())
e = torch.ones(1).expand(3)
print(e.clone().stride(), e.stride(), e.contiguous().stride())
a = torch.arange(3.0)
b = a.contiguous()
print(b is a, a.contiguous().data_ptr() == a.data_ptr(), t.contiguous() is t)
