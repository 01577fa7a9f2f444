"""Convolution by unfold, pooling by views, patches put back by fold-like sums."""

import torch
import torch.nn.functional as F

x = torch.arange(16.0, dtype=torch.float64).view(1, 1, 4, 4).requires_grad_()
k = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)
p = x.unfold(2, 2, 1).unfold(3, 2, 1)
print(p.shape, p.stride(), p._is_view(), p.is_contiguous())
o = (p * k).sum((-1, -2))
print(o, torch.allclose(o, F.conv2d(x, k.view(1, 1, 2, 2))))
o.sum().backward()
print(x.grad, k.grad)
x.grad = None
pool = x.view(1, 1, 2, 2, 2, 2).amax((3, 5))
print(pool, torch.equal(pool, F.max_pool2d(x, 2)))
pool.sum().backward()
print(x.grad)
x.grad = None
cols = F.unfold(x, 2, stride=2)
print(cols.shape, cols[0, :, 0])
back = F.fold(cols, (4, 4), 2, stride=2)
print(torch.equal(back, x))
(back**2).sum().backward()
print(torch.equal(x.grad, 2 * x))
s = torch.arange(6.0).unfold(0, 3, 1)
print(
    s,
    s.mean(-1),
    s.max(-1).values,
    s.cumsum(-1)[0],
    s.flip(-1)[0],
    s.contiguous().stride(),
    (s - s.mean(-1, keepdim=True)).stride(),
)
w = torch.zeros(6)
w.unfold(0, 2, 2).copy_(torch.arange(6.0).view(3, 2))
w.unfold(0, 2, 2)[1] = -1
w.unfold(0, 2, 2)[:, 1] *= 10
print(w)
blocks = torch.arange(16.0).view(2, 2, 2, 2).permute(0, 2, 1, 3)
print(blocks.reshape(4, 4), blocks.is_contiguous(), blocks.stride())
blocks[0, :, 1] = 0
print(blocks.reshape(4, 4))
h = x.detach()[0, 0]
h.unfold(0, 2, 2)[..., 0].zero_()
print(x, x._version)
print(
    torch.autograd.gradcheck(
        lambda t: t.unfold(-1, 2, 1).unfold(-2, 2, 2).prod(-1), x.detach().requires_grad_()
    )
)
