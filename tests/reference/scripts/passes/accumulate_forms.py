"""Accumulation with different strides, sparse-free layouts, and repeated use of leaves."""
import torch

w = torch.ones(2, 3)
for name, leaf in {"plain": w.clone(), "transposed": w.t().clone().t(), "strided": torch.ones(4, 3)[::2], "expanded": torch.ones(1, 3).expand(2, 3), "permuted": torch.ones(3, 2).permute(1, 0)}.items():
    leaf = leaf.detach().requires_grad_()
    go = torch.arange(6.0).view(2, 3)
    leaf.backward(go)
    first = leaf.grad
    print(name, leaf.stride(), first.stride(), first.is_contiguous(), first is go)
    leaf.backward(go.t().contiguous().t())
    print("  ", leaf.grad is first, leaf.grad.tolist(), leaf.grad.stride())
    leaf.grad = None
    (leaf * go).sum().backward()
    print("  ", leaf.grad.stride(), leaf.grad.equal(go))
    leaf.grad = None
    leaf.sum().backward()
    print("  ", leaf.grad.stride())
x = torch.ones(3, requires_grad=True)
g = torch.tensor([1.0, 2.0, 3.0])
x.backward(g)
g.zero_()
print(x.grad)
x.grad = None
(x * 1).backward(g.fill_(4))
g.fill_(0)
print(x.grad)
y = torch.ones(3, requires_grad=True)
(x + y).backward(torch.tensor([1.0, 1.0, 1.0]))
x.grad.add_(100)
print(x.grad, y.grad)
a = torch.ones(2, requires_grad=True)
b = a.view(2)
c = a.expand(2)
(b * 2 + c * 3 + a * 4).sum().backward()
print(a.grad)
k = torch.ones(1, requires_grad=True)
for _ in range(5):
    (k * k).backward()
print(k.grad)
with torch.no_grad():
    for _ in range(3):
        k += 1
print(k, k.grad)
big = torch.zeros(2, 2, requires_grad=True)
for i in range(2):
    for j in range(2):
        (big[i, j] * (i * 2 + j)).backward()
print(big.grad)
p = torch.ones(2, requires_grad=True)
outs = [p * i for i in range(4)]
torch.autograd.backward([o.sum() for o in outs])
print(p.grad)
q = torch.ones(2, requires_grad=True)
r = q
for i in range(50):
    r = r * 1.01
r.sum().backward()
print(q.grad)
deep = torch.ones(1, requires_grad=True)
t = deep
for _ in range(5000):
    t = t + 1
t.backward()
print(deep.grad)
