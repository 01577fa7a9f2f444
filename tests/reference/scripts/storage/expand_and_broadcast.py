"""expand makes strides of zero; gradients add up."""
import torch

x = torch.tensor([[1.0], [2.0]], requires_grad=True)
e = x.expand(2, 3)
print(e, e.stride(), e.is_contiguous())
print(e._base is x, e.data_ptr() == x.data_ptr())
(e * torch.arange(6.0).view(2, 3)).sum().backward()
print(x.grad)
print(x.expand(-1, 4).shape, x.expand(5, -1, -1).shape, x.expand((3, 2, 2)).shape)
print(torch.tensor(3.0).expand(2, 2))
print(x.expand_as(torch.zeros(2, 5)).shape)
print(torch.broadcast_to(x, (2, 4)).grad_fn.name())
a, b = torch.broadcast_tensors(torch.zeros(3, 1), torch.ones(1, 2))
print(a.shape, b.shape, a.stride(), b.stride())
print(torch.broadcast_shapes((2, 1), (1, 3), (5, 1, 1)))
for shape in [(3, 3), (2,), (-1, -1, -1), (2, 0)]:
    try:
        print(x.expand(shape).shape)
    except RuntimeError as err:
        print(type(err).__name__)
c = x.expand(2, 3).contiguous()
print(c.stride(), c.grad_fn.name())
r = x.repeat(1, 3)
print(r.stride(), torch.equal(c, r))
print(x.repeat(2, 1, 2).shape, x.tile((2,)).shape)
x.grad = None
x.repeat(2, 2).prod().backward()
print(x.grad)
print(torch.zeros(1, 3).expand(0, 3).shape)
print(torch.ones(2).expand(3, 2).sum())
