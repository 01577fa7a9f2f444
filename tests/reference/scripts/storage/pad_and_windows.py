"""Sliding windows through unfold and as_strided, written in place."""

import torch

x = torch.arange(8.0, requires_grad=True)
u = x.unfold(0, 3, 2)
print(u, u.grad_fn, u.shape, u.stride(), u._is_view())
u.mean(1).sum().backward()
print(x.grad)
s = x.unfold(0, 4, 4)
y = x * 1
y.unfold(0, 2, 2)[:, 0] *= -1
print(y, y.grad_fn)
x.grad = None
(y * torch.arange(8.0)).sum().backward()
print(x.grad)
z = torch.arange(6.0)
w = z.unfold(0, 2, 1)
print(w.sum(), w.clone().add_(1))
w[0].zero_()
print(z, w)
img = torch.arange(16.0).view(4, 4)
p = img.unfold(0, 2, 2).unfold(1, 2, 2)
print(p.shape, p.stride(), p[1, 0], p.contiguous().view(4, 4))
p[0, 0].fill_(-1)
p[..., 0, 0] = 100
print(img, img._version)
st = torch.as_strided(img, (3, 3, 2, 2), (4, 1, 4, 1))
print(st.sum((2, 3)), st._base is img)
print(
    img.unfold(-1, 1, 1).shape,
    torch.tensor(3.0).unfold(0, 1, 1),
    torch.arange(3).unfold(0, 0, 1).shape,
)
for bad in (
    lambda: img.unfold(2, 1, 1),
    lambda: img.unfold(0, 5, 1),
    lambda: img.unfold(0, 1, 0),
    lambda: img.unfold(0, -1, 1),
):
    try:
        print(bad().shape)
    except Exception as e:
        print(type(e).__name__)
