"""detach() cuts the history but not the memory."""
import torch

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = a * 2
d = b.detach()
print(d, d.requires_grad, d.grad_fn, d.is_leaf)
print(d.data_ptr() == b.data_ptr())
d[0] = 10
print(b)
print(b._version, d._version)
loss = b.sum()
loss.backward()
print(a.grad)

x = torch.tensor([3.0], requires_grad=True)
y = x**2
y.detach().zero_()
print(y)
y.backward()
print(x.grad)

x.grad = None
z = x.exp()
z.detach().mul_(2)
try:
    z.backward()
except RuntimeError as e:
    print("modified by an inplace operation" in str(e))
    print("is at version 1; expected version 0" in str(e))
print(x.grad)
