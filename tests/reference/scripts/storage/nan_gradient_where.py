"""The well-known trap: where() does not stop NaN in the gradient; masking the input does."""
import torch

x = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
y = torch.where(x > 0, x.sqrt(), torch.zeros_like(x))
y.sum().backward()
print(y, x.grad)
x.grad = None
safe = torch.where(x > 0, x, torch.ones_like(x))
y = torch.where(x > 0, safe.sqrt(), torch.zeros_like(x))
y.sum().backward()
print(y, x.grad)
x.grad = None
(x.log() * 0).sum().backward()
print(x.grad)
x.grad = None
torch.where(x > 0, x.log(), 0.0).sum().backward()
print(x.grad)
x.grad = None
x.clamp(min=1e-6).log().sum().backward()
print(x.grad)
p = torch.tensor([0.0, 0.0], requires_grad=True)
p.norm().backward()
print(p.grad)
p.grad = None
(p**2).sum().sqrt().backward()
print(p.grad)
q = torch.zeros(2, requires_grad=True)
(q / q.sum()).sum().backward()
print(q.grad)
print(torch.nan_to_num(torch.tensor([float("nan"), float("inf"), -float("inf"), 1.0])))
n = torch.tensor([float("nan"), 2.0], requires_grad=True)
n.nansum().backward()
print(n.grad)
