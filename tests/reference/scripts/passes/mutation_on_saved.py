"""allow_mutation_on_saved_tensors."""
import torch

with torch.autograd.graph.allow_mutation_on_saved_tensors() as ctx:
    a = torch.ones(2, 3, requires_grad=True)
    b = a.clone()
    out = (b ** 2).sum()
    b.sin_()
    out.backward()
    print(a.grad, type(ctx).__name__)
    a.grad = None
    c = a * 2
    d = c.exp()
    c.zero_()
    d.add_(1)
    d.sum().backward()
    print(a.grad)
    try:
        with torch.autograd.graph.allow_mutation_on_saved_tensors():
            pass
    except RuntimeError as e:
        print(type(e).__name__)
x = torch.ones(2, requires_grad=True)
y = x.clone()
z = y * y
y.mul_(2)
try:
    z.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
with torch.autograd.graph.allow_mutation_on_saved_tensors():
    y = x.clone()
    z = y * y
    y.mul_(2)
try:
    z.sum().backward()
    print(x.grad)
except Exception as e:
    print(type(e).__name__)
with torch.autograd.graph.allow_mutation_on_saved_tensors():
    y = x.clone()
    v = y[0]
    z = y.exp()
    v.fill_(7)
    z.sum().backward()
print(x.grad)
