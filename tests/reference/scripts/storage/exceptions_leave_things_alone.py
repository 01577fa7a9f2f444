"""After a refused operation nothing has changed: values, versions, gradients, modes."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
z = torch.zeros(2, dtype=torch.long)
before = (x.tolist(), y.tolist(), z.tolist(), x._version, y._version, z._version)
for f in [lambda: x.add_(1), lambda: y.add_(torch.ones(3)), lambda: z.add_(0.5), lambda: y.copy_(torch.ones(3)), lambda: y.__setitem__(5, 1.0),
          lambda: y.masked_fill_(torch.ones(3, dtype=torch.bool), 1.0), lambda: y.index_add_(0, torch.tensor([7]), torch.ones(1)), lambda: y.view(3),
          lambda: y.scatter_(0, torch.tensor([9]), 1.0), lambda: torch.add(x, 1, out=z), lambda: y.unbind()[0].mul_(3), lambda: y.resize_(5)]:
    try:
        f()
        print("went through")
    except (RuntimeError, IndexError) as e:
        print(type(e).__name__)
print(before == (x.tolist(), y.tolist(), z.tolist(), x._version, y._version, z._version))
try:
    with torch.no_grad():
        raise KeyError
except KeyError:
    print(torch.is_grad_enabled())
try:
    y.backward()
except RuntimeError as e:
    print(x.grad)
y.sum().backward()
print(x.grad, y.requires_grad)
try:
    y.sum().backward()
    print(x.grad)
except RuntimeError as e:
    print(type(e).__name__, x.grad)
