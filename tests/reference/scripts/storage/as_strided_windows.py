"""as_strided: overlapping windows, gradients and layout."""
import torch

x = torch.arange(6.0, requires_grad=True)
w = x.as_strided((4, 3), (1, 1))
print(w)
print(w.stride(), w.grad_fn.name())
(w * torch.arange(12.0).view(4, 3)).sum().backward()
print(x.grad)
u = x.unfold(0, 3, 1)
print(torch.equal(u, w), u.stride())
x.grad = None
u.pow(2).sum().backward()
print(x.grad)
x.grad = None
d = torch.as_strided(x, (2, 2), (3, 1), 1)
print(d, d.storage_offset())
d.sum().backward()
print(x.grad)
y = torch.zeros(9)
torch.as_strided(y, (3,), (4,)).fill_(1)
print(y.view(3, 3))
try:
    torch.zeros(4).as_strided((3,), (2,))
except RuntimeError as e:
    print(type(e).__name__)
o = torch.zeros(4).as_strided((2, 3), (1, 1))
try:
    o.add_(1)
except RuntimeError as e:
    print("more than one element of the written-to tensor refers to a single memory" in str(e))
e = torch.zeros(1).expand(3)
try:
    e.add_(1)
except RuntimeError as err:
    print("clone() the tensor before" in str(err))
e.fill_(2)
print(e)
