""".data has its own version counter: autograd cannot see the write, and the gradient is wrong."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
out = x.sigmoid()
before = out.clone().detach()
alias = out.data
print(alias, alias.requires_grad, alias._version)
alias.zero_()
print(out)
print(out._version, alias._version)
out.sum().backward()
print(x.grad)
print(before * (1 - before))

w = torch.zeros(2, requires_grad=True)
w.data += 1
print(w, w._version)
w.data = torch.tensor([5.0, 6.0])
print(w, w.is_leaf, w.requires_grad)
w.data[0] = -1
print(w)
w.data = w.data.view(2, 1).expand(2, 3).clone()
print(w.shape)
w.sum().backward()
print(w.grad)
try:
    w.data = [1, 2]
except TypeError as e:
    print(type(e).__name__)
