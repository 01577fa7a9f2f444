"""index_put, index_put_, accumulate, and how it differs from x[i] += v."""
import torch

x = torch.zeros(4)
i = torch.tensor([1, 1, 3])
x[i] += 1
print(x)
x = torch.zeros(4)
x.index_put_((i,), torch.ones(3), accumulate=True)
print(x)
print(torch.zeros(4).index_add_(0, i, torch.ones(3)), torch.zeros(4).scatter_add_(0, i, torch.ones(3)))
y = torch.zeros(2, 3)
y.index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor(5.0))
print(y)
base = torch.ones(3, requires_grad=True)
v = torch.tensor([10.0, 20.0], requires_grad=True)
z = base.index_put((torch.tensor([0, 2]),), v)
print(z, z.grad_fn.name())
(z**2).sum().backward()
print(base.grad, v.grad)
base.grad = v.grad = None
z = torch.index_put(base, (torch.tensor([0, 0]),), v, accumulate=True)
(z**2).sum().backward()
print(z, base.grad, v.grad)
w = torch.zeros(3, requires_grad=True)
t = w * 1
t[torch.tensor([True, False, True])] = v.detach()
t[t > 15] *= 2
print(t, t.grad_fn.name())
t.sum().backward()
print(w.grad)
m = torch.zeros(3, 3)
m[torch.arange(3), torch.arange(3)] = torch.tensor([1.0, 2.0, 3.0])
m[[0, 1], [1, 2]] = -1.0
m[:, 0] += 0.5
m[m == 0] = 9
print(m)
m.fill_diagonal_(0)
print(m)
m.diagonal().copy_(torch.arange(3.0))
m[1].zero_()
print(m, m._version)
